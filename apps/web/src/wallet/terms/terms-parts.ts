/** The parts of the terms and of the risks in their order, as the texts name them (`info.terms.what`). */
export const TERMS_PARTS = {
  terms: [
    'operator',
    'what',
    'version',
    'packages',
    'rates',
    'rewards',
    'payments',
    'dropped',
    'payouts',
    'transfers',
    'savings',
    'fund',
    'exchange',
    'stops',
    'bank',
    'conduct',
    'data',
  ],
  risk: ['loss', 'noPromise', 'pools', 'tokens', 'chain', 'scams'],
} as const

export type TermsName = keyof typeof TERMS_PARTS

import { getAddress } from 'viem'
import { ARBITRUM_ONE } from '../../chain/arbitrum.ts'
import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import type { Members } from '../members/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Prices } from '../prices/index.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { createAuthService } from './auth/auth.service.ts'
import { createTermsTexts } from './auth/auth.texts.service.ts'
import { AUTH_MESSAGES } from './auth/messages.ts'
import { GATE_MESSAGES } from './gates/messages.ts'
import { pauseKind, resumeKind, unfreezeKind } from './proposal-kinds.ts'

export type Access = ServicesOf<typeof access>

/** Says in the terms of a demonstration that nobody runs it. */
const DEMONSTRATION = {
  name: 'nobody (a demonstration with test money)',
  address: 'none',
  law: 'no country',
  venue: 'none',
}

/** Signing in, the accepted terms, sessions, and the gates that stop movements of money. Rules, section 12. */
export const access = capability({
  create(needs: Ground & Books & Operators & Prices & Members) {
    const { settings, domain } = needs
    const termsTexts = createTermsTexts({
      ...needs,
      facts: {
        operator: settings.operator ?? DEMONSTRATION,
        contact: settings.supportContact ?? null,
        chainName: ARBITRUM_ONE.name,
        chainId: domain.chainId,
        bank: getAddress(domain.bank),
        confirmations: settings.confirmations,
      },
    })
    const auth = createAuthService({
      ...needs,
      publicUrl: settings.publicUrl,
      chainId: domain.chainId,
      termsTexts,
    })
    return { termsTexts, auth }
  },
  routes: authRoutes,
  proposalKinds: (services) => ({
    pause: pauseKind(services),
    resume: resumeKind(services),
    unfreeze: unfreezeKind(services),
  }),
  messages: { ...AUTH_MESSAGES, ...GATE_MESSAGES },
})

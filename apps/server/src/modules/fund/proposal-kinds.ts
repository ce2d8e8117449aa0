import { createHash } from 'node:crypto'
import type { Effect, ProposalPayload } from '@rif/api-schema'
import {
  changePpm,
  formatMicros,
  investable,
  netAssets,
  parseMicros,
  VALUATION_VALIDITY_MS,
} from '@rif/rules'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import { change, type Kind, says } from '../proposal-kind.ts'
import { fundProductSubject, redemptionSubject, valuationSubject } from '../proposal-subjects.ts'
import type { AttestedRevenue } from '../rewards/attested-revenue/attested-revenue.service.ts'
import type { Fund, ValuationDraft, ValuationTerms } from './fund.service.ts'
import type { DestinationsService } from './treasury/treasury.destinations.service.ts'
import type { ExitsService } from './treasury/treasury.exits.service.ts'

type FundParts = Pick<Fund, 'products' | 'assets' | 'investments' | 'valuations' | 'review' | 'redemptions'>

/** A product with its terms, which never change afterwards. Rules, section 8. */
export function fundProductKind({ fund }: { fund: FundParts }): Kind<ProposalPayload<'fund_product'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(_db, product) {
      const { documents, introduction, redeemable_weekdays, ...figures } = product
      return {
        subject: `fund/${product.name}`,
        summary: `Open the fund product ${product.name}, risk ${product.risk_level}, opening price ${product.opening_nav} USDT, minimum ${product.minimum_usd} USD`,
        headline: says('fund_product', { name: product.name }),
        difference: [
          ...Object.entries(figures).map(([field, value]) => change(field, null, String(value ?? 'none'))),
          change('redeemable_weekdays', null, redeemable_weekdays.join(' ')),
          ...Object.entries(introduction).map(([language, text]) =>
            change('introduction', null, text, language),
          ),
          ...documents.map(({ title, media_type, content }) =>
            change('document', null, paperText(media_type, Buffer.from(content, 'base64')), title),
          ),
        ],
      }
    },
    async apply(dbTx, product, { preparedBy, decidedBy }) {
      const { productId } = await fund.products.prepare(dbTx, {
        name: product.name,
        introduction: product.introduction,
        riskLevel: product.risk_level,
        estimatedAnnualReturnPpm: product.estimated_annual_return,
        terms: {
          minimumMicros: parseMicros(product.minimum_usd),
          lockDays: product.lock_days,
          redeemableWeekdays: product.redeemable_weekdays,
          subscriptionPpm: product.subscription_ppm,
          redemptionPpm: product.redemption_ppm,
          managementPpm: product.management_ppm,
        },
        openingMicros: parseMicros(product.opening_nav),
        limits: {
          maxMemberUnits: product.max_member_units === null ? null : BigInt(product.max_member_units),
          maxUnits: product.max_units === null ? null : BigInt(product.max_units),
          soldPpm: product.sold_ppm,
        },
        documents: product.documents.map(({ title, media_type, content }) => ({
          title,
          mediaType: media_type,
          content: Buffer.from(content, 'base64'),
        })),
        actor: preparedBy,
      })
      await fund.products.approve(dbTx, { productId, actor: decidedBy })
      return { product_id: `${productId}` }
    },
  }
}

/** Returns the identifying facts of a document. */
const paperText = (mediaType: string, content: Buffer) =>
  `${mediaType}, ${content.length} bytes, SHA-256 0x${createHash('sha256').update(content).digest('hex')}`

/** Stops or resumes selling a product. */
export function fundStateKind({ fund }: { fund: FundParts }): Kind<ProposalPayload<'fund_product_state'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, { product_id, state }) {
      const product = await fund.products.get(db, BigInt(product_id))
      return {
        subject: fundProductSubject(product_id),
        summary: `${product.name}: ${product.state} -> ${state}`,
        headline: says(state === 'open' ? 'fund_opened' : 'fund_stopped', { name: product.name }),
        difference: [change('state', product.state, state, product.name)],
      }
    },
    async apply(dbTx, { product_id, state }, { preparedBy, decidedBy }) {
      const productId = BigInt(product_id)
      await fund.products.proposeState(dbTx, { productId, state, actor: preparedBy })
      await fund.products.approveState(dbTx, { productId, actor: decidedBy })
    },
  }
}

/**
 * A valuation of all investments of a product, which determines the NAV. Stops dealing until it is decided.
 */
export function valuationKind({ fund }: { fund: FundParts }): Kind<ProposalPayload<'fund_valuation'>> {
  const termsOf = ({ product_id, value, lines }: ProposalPayload<'fund_valuation'>): ValuationTerms => ({
    productId: BigInt(product_id),
    valueMicros: parseMicros(value),
    lines: linesOf(lines),
  })
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    validityMs: VALUATION_VALIDITY_MS,
    async preview(db, payload) {
      const { product, invested, effects, nav } = await preview(db, fund, termsOf(payload))
      return {
        subject: valuationSubject(payload.product_id),
        summary: `${product.name}: the investments, held at ${payload.held_at}, are worth ${payload.value} USDT instead of ${invested}. ${nav}`,
        headline: says('fund_valuation', { name: product.name, amount: payload.value, asset: 'USDT' }),
        difference: [
          change('invested', invested, payload.value, product.name),
          ...evidenceChanges(product.name, payload),
          ...lineChanges(payload.lines),
        ],
        effects,
      }
    },
    prepared: (dbTx, payload, { preparedBy }) =>
      propose(dbTx, fund, { ...termsOf(payload), evidence: evidenceOf(payload), actor: preparedBy }),
    ended: (dbTx, { product_id }, { preparedBy, decidedBy }) =>
      reject(dbTx, fund, { productId: BigInt(product_id), preparedBy, decidedBy }),
    apply: (dbTx, payload, { preparedBy, decidedBy }) =>
      decide(dbTx, fund, {
        draft: { ...termsOf(payload), evidence: evidenceOf(payload), actor: preparedBy },
        decidedBy,
      }),
  }
}

/** A divestment: returned cash, and the value of the remaining investments. */
export function divestKind({
  fund,
  attestedRevenue,
}: {
  fund: FundParts
  attestedRevenue: Pick<AttestedRevenue, 'requireReturn'>
}): Kind<ProposalPayload<'fund_divest'>> {
  const draftOf = (payload: ProposalPayload<'fund_divest'>, actor: string) => ({
    productId: BigInt(payload.product_id),
    valueMicros: parseMicros(payload.left),
    amountMicros: parseMicros(payload.amount),
    lines: linesOf(payload.lines),
    depositId: payload.deposit_id ?? undefined,
    evidence: evidenceOf(payload),
    actor,
  })
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    validityMs: VALUATION_VALIDITY_MS,
    async preview(db, payload) {
      const draft = draftOf(payload, '')
      const { product, invested, effects, nav } = await preview(db, fund, draft)
      return {
        subject: valuationSubject(payload.product_id),
        summary: `${product.name}: ${payload.amount} USDT come back from investments; what remains, held at ${payload.held_at}, is worth ${payload.left} USDT. ${nav}`,
        headline: says('fund_divest', { name: product.name, amount: payload.amount, asset: 'USDT' }),
        difference: [
          change('divested', null, `${payload.amount} USDT`, product.name),
          change('invested', invested, payload.left, product.name),
          change('deposit', null, payload.deposit_id, product.name),
          ...evidenceChanges(product.name, payload),
          ...lineChanges(payload.lines),
        ],
        effects,
        amounts: [{ asset: 'USDT', micros: draft.amountMicros }],
      }
    },
    prepared: (dbTx, payload, { preparedBy }) => propose(dbTx, fund, draftOf(payload, preparedBy)),
    ended: (dbTx, { product_id }, { preparedBy, decidedBy }) =>
      reject(dbTx, fund, { productId: BigInt(product_id), preparedBy, decidedBy }),
    async apply(dbTx, payload, { preparedBy, decidedBy }) {
      const draft = draftOf(payload, preparedBy)
      await attestedRevenue.requireReturn(dbTx, draft)
      return decide(dbTx, fund, { draft, decidedBy })
    },
  }
}

/** An investment of a product's cash. Its approval sets the amount aside and gives the exit its id. */
export function investKind({
  fund,
  exits,
  exitDestinations,
}: {
  fund: FundParts
  exits: Pick<ExitsService, 'approveInvestment'>
  exitDestinations: Pick<DestinationsService, 'nameOf'>
}): Kind<ProposalPayload<'fund_invest'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, payload) {
      const { product_id, amount } = payload
      const destination = payload.destination.toLowerCase()
      const to = `${await exitDestinations.nameOf(db, destination)} (${destination})`
      const product = await fund.products.get(db, BigInt(product_id))
      const assets = await fund.assets.read(db, product)
      const may = formatMicros(investable(assets))
      return {
        subject: fundProductSubject(product_id),
        summary: `${product.name}: invest ${amount} USDT, to be held at ${payload.held_at}, by a payment to ${to}. The NAV stays ${formatMicros(assets.navMicros)} USDT`,
        headline: says('fund_invest', { name: product.name, amount, asset: 'USDT' }),
        difference: [
          change('invest', null, `${amount} USDT`, product.name),
          change('destination', null, to, product.name),
          ...evidenceChanges(product.name, payload),
        ],
        effects: [{ name: 'fund_investable', values: { before: may, amount } }],
        payees: [destination],
        amounts: [{ asset: 'USDT', micros: parseMicros(amount) }],
      }
    },
    async apply(dbTx, payload, { preparedBy, decidedBy }) {
      const exit = await exits.approveInvestment(dbTx, {
        productId: BigInt(payload.product_id),
        amountMicros: parseMicros(payload.amount),
        destination: payload.destination.toLowerCase(),
        evidence: evidenceOf(payload),
        preparedBy,
        approvedBy: decidedBy,
      })
      return { exit_id: `${exit.exitId}`, investment_id: `${exit.investmentId}` }
    },
  }
}

interface EvidencePayload {
  readonly held_at: string
  readonly document: { readonly title: string; readonly media_type: string; readonly content: string }
}

const evidenceOf = ({ held_at, document }: EvidencePayload) => ({
  heldAt: held_at,
  document: {
    title: document.title,
    mediaType: document.media_type,
    content: Buffer.from(document.content, 'base64'),
  },
})

const evidenceChanges = (name: string, { held_at, document }: EvidencePayload) => [
  change('held_at', null, held_at, name),
  change(
    'document',
    null,
    paperText(document.media_type, Buffer.from(document.content, 'base64')),
    document.title,
  ),
]

type LinesPayload = ProposalPayload<'fund_valuation'>['lines']

const linesOf = (lines: LinesPayload) =>
  lines?.map(({ investment_id, value }) => ({
    investmentId: BigInt(investment_id),
    valueMicros: parseMicros(value),
  }))

const lineChanges = (lines: LinesPayload = []) =>
  lines.map(({ investment_id, value }) => change('investment', null, value, investment_id))

/** Returns a product, the present value of its investments, and the effect of a valuation on its NAV. */
async function preview(db: Db, fund: FundParts, terms: ValuationTerms) {
  const product = await fund.products.get(db, terms.productId)
  const { before, after } = await fund.valuations.preview(db, {
    product,
    valueMicros: terms.valueMicros,
    amountMicros: terms.amountMicros,
  })
  const values = { before: formatMicros(before.navMicros), after: formatMicros(after.navMicros) }
  const isClosing = after.isClosed && !before.isClosed
  const effects: Effect[] = [
    { name: 'nav_becomes', values },
    navChange(before.navMicros, after.navMicros),
    {
      name: 'net_assets',
      values: { before: formatMicros(netAssets(before)), after: formatMicros(netAssets(after)) },
    },
    ...(isClosing ? [{ name: 'fund_closes' as const, values: {} }] : []),
  ]
  return {
    product,
    effects,
    invested: formatMicros(before.investedMicros),
    nav: `By the books of now the NAV goes from ${values.before} to ${values.after} USDT${isClosing ? ', and the product closes for good' : ''}`,
  }
}

async function propose(dbTx: Db, { valuations }: FundParts, draft: ValuationDraft): Promise<void> {
  await valuations.propose(dbTx, draft)
}

async function reject(
  dbTx: Db,
  { valuations }: FundParts,
  of: { productId: bigint; preparedBy: string; decidedBy: string | null },
): Promise<void> {
  const open = await valuations.proposed(dbTx, of.productId)
  if (open === undefined || open.prepared_by !== of.preparedBy) return
  await valuations.reject(dbTx, { valuationId: open.valuation_id, actor: of.decidedBy })
}

/**
 * Approves the valuation that was proposed with the proposal. A trial run, before anything is stored,
 * proposes it first.
 */
async function decide(
  dbTx: Db,
  { valuations }: FundParts,
  { draft, decidedBy }: { draft: ValuationDraft; decidedBy: string },
) {
  const open = await valuations.proposed(dbTx, draft.productId)
  const own = open?.prepared_by === draft.actor ? open : await valuations.propose(dbTx, draft)
  await valuations.approve(dbTx, { valuationId: own.valuation_id, actor: decidedBy })
  return { valuation_id: `${own.valuation_id}` }
}

/** Returns the change of a net value in percent. */
function navChange(before: bigint, after: bigint): Effect {
  const ppm = changePpm(before, after)
  return { name: 'nav_change', values: { percent: `${ppm > 0 ? '+' : ''}${ppm / 10_000}` } }
}

/** Decides on a redemption that a member requested. */
export function fundRedemptionKind({ fund }: { fund: FundParts }): Kind<ProposalPayload<'fund_redemption'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    askedByMembers: true,
    async preview(db, { member_id, redemption_id, approve }) {
      const redemption = await fund.redemptions.get(db, BigInt(member_id), BigInt(redemption_id))
      if (redemption.status !== 'Pending') throw new AppError('NOTHING_TO_REVIEW')
      const after = approve ? 'Approved' : 'Rejected'
      const { nav_micros: nav } = await fund.products.get(db, BigInt(redemption.product_id))
      return {
        subject: redemptionSubject(member_id, redemption_id),
        summary: `${approve ? 'Approve' : 'Reject'} redemption ${redemption_id} of member ${member_id}: ${redemption.units} units of ${redemption.product_name}`,
        headline: says(approve ? 'redemption' : 'redemption_rejected', {
          units: `${redemption.units}`,
          name: redemption.product_name,
          member: member_id,
        }),
        difference: [
          change('status', redemption.status, after, `${redemption.units} x ${redemption.product_name}`),
        ],
        memberIds: [BigInt(member_id)],
        ...(approve && { amounts: [{ asset: 'USDT', micros: BigInt(redemption.units) * nav }] }),
      }
    },
    async apply(dbTx, { member_id, redemption_id, approve }, { preparedBy, decidedBy, reason }) {
      const subject = { memberId: BigInt(member_id), redemptionId: BigInt(redemption_id) }
      await fund.review.review(dbTx, { ...subject, approve, reason, actor: preparedBy })
      await fund.review.confirm(dbTx, { ...subject, actor: decidedBy })
    },
  }
}

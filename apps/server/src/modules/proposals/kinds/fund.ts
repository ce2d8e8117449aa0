import { createHash } from 'node:crypto'
import type { Effect, ProposalPayload } from '@rif/api-schema'
import { changePpm, formatMicros, parseMicros } from '@rif/rules'
import { AppError } from '../../../lib/errors.ts'
import type { Fund } from '../../fund/fund.service.ts'
import { change, type Kind } from '../proposals.kinds.ts'
import { fundProductSubject, redemptionSubject } from '../proposals.subjects.ts'

type FundParts = Pick<Fund, 'products' | 'navs' | 'review' | 'redemptions'>

/** A product with its terms, which never change afterwards. Rules, section 8. */
export function fundProductKind({ fund }: { fund: FundParts }): Kind<ProposalPayload<'fund_product'>> {
  return {
    ...{ prepare: 'operator', decide: 'approver', people: 2 },
    async preview(_db, product) {
      const { documents, introduction, redeemable_weekdays, ...figures } = product
      return {
        subject: `fund/${product.name}`,
        summary: `Open the fund product ${product.name}, risk ${product.risk_level}, minimum ${product.minimum_usd} USD`,
        difference: [
          ...Object.entries(figures).map(([field, value]) => change(field, null, String(value))),
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
        documents: product.documents.map(({ title, media_type, content }) => ({
          ...{ title, mediaType: media_type },
          content: Buffer.from(content, 'base64'),
        })),
        actor: preparedBy,
      })
      await fund.products.approve(dbTx, { productId, actor: decidedBy })
      return { product_id: `${productId}` }
    },
  }
}

/** A paper by what tells it from any other. */
const paperText = (mediaType: string, content: Buffer) =>
  `${mediaType}, ${content.length} bytes, SHA-256 0x${createHash('sha256').update(content).digest('hex')}`

/** Stops or resumes selling a product. */
export function fundStateKind({ fund }: { fund: FundParts }): Kind<ProposalPayload<'fund_product_state'>> {
  return {
    ...{ prepare: 'operator', decide: 'approver', people: 2 },
    async preview(db, { product_id, state }) {
      const product = await fund.products.get(db, BigInt(product_id))
      return {
        subject: fundProductSubject(product_id),
        summary: `${product.name}: ${product.state} -> ${state}`,
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

/** A unit net value, backed by attested assets. */
export function navKind({ fund }: { fund: FundParts }): Kind<ProposalPayload<'nav'>> {
  return {
    ...{ prepare: 'operator', decide: 'approver', people: 2 },
    async preview(db, { product_id, nav, assets, document_hash }) {
      const product = await fund.products.get(db, BigInt(product_id))
      const last = (await fund.navs.last(db)).get(product.product_id)
      const before = last === undefined ? null : formatMicros(last.nav_micros)
      const owed = product.units_outstanding * parseMicros(nav)
      return {
        subject: fundProductSubject(product_id),
        summary: `${product.name}: NAV ${before ?? 'none'} -> ${nav}, assets ${assets} USDT`,
        difference: [
          change('nav', before, nav, product.name),
          change(
            'assets',
            last?.assets_micros == null ? null : formatMicros(last.assets_micros),
            assets,
            product.name,
          ),
          change('document_hash', null, document_hash, product.name),
        ],
        effects: [
          ...(last === undefined ? [] : [navChange(last.nav_micros, parseMicros(nav))]),
          {
            name: 'units_worth',
            values: { units: `${product.units_outstanding}`, worth: formatMicros(owed), assets },
          },
        ],
      }
    },
    async apply(dbTx, { product_id, nav, assets, document_hash }, { preparedBy, decidedBy }) {
      const { navId } = await fund.navs.prepare(dbTx, {
        ...{ productId: BigInt(product_id), navMicros: parseMicros(nav), assetsMicros: parseMicros(assets) },
        ...{ documentHash: document_hash.toLowerCase(), actor: preparedBy },
      })
      await fund.navs.approve(dbTx, { navId, actor: decidedBy })
      return { nav_id: `${navId}` }
    },
  }
}

/** Returns the change of a net value in percent. */
function navChange(before: bigint, after: bigint): Effect {
  const ppm = changePpm(before, after)
  return { name: 'nav_change', values: { percent: `${ppm > 0 ? '+' : ''}${ppm / 10_000}` } }
}

/** Decides on a redemption that a member requested. */
export function fundRedemptionKind({ fund }: { fund: FundParts }): Kind<ProposalPayload<'fund_redemption'>> {
  return {
    ...{ prepare: 'operator', decide: 'approver', people: 2, askedByMembers: true },
    async preview(db, { member_id, redemption_id, approve }) {
      const redemption = await fund.redemptions.get(db, BigInt(member_id), BigInt(redemption_id))
      if (redemption.status !== 'Pending') throw new AppError('NOTHING_TO_REVIEW')
      const after = approve ? 'Approved' : 'Rejected'
      const nav = (await fund.navs.last(db)).get(BigInt(redemption.product_id))?.nav_micros
      return {
        subject: redemptionSubject(member_id, redemption_id),
        summary: `${approve ? 'Approve' : 'Reject'} redemption ${redemption_id} of member ${member_id}: ${redemption.units} units of ${redemption.product_name}`,
        difference: [
          change('status', redemption.status, after, `${redemption.units} x ${redemption.product_name}`),
        ],
        memberIds: [BigInt(member_id)],
        ...(approve &&
          nav !== undefined && { amounts: [{ asset: 'USDT', micros: BigInt(redemption.units) * nav }] }),
      }
    },
    async apply(dbTx, { member_id, redemption_id, approve }, { preparedBy, decidedBy, reason }) {
      const subject = { memberId: BigInt(member_id), redemptionId: BigInt(redemption_id) }
      await fund.review.review(dbTx, { ...subject, approve, reason, actor: preparedBy })
      await fund.review.confirm(dbTx, { ...subject, actor: decidedBy })
    },
  }
}

import type { FundRedemption, RedemptionPreview } from '@rif/api-schema'
import { formatPpm, formatPrice, useTranslation } from '../../../lib/index.ts'
import { AddressFact, Fact, Facts, Money, MoneyFact, PriceNote, Time, TimeFact } from '../../../ui/index.ts'
import { Gain, useUnits } from './parts.tsx'

/** The proceeds of units at this moment: value, fees, net amount, destination and time. */
export function PreviewFacts({ preview }: { preview: RedemptionPreview }) {
  const { t } = useTranslation()
  const units = useUnits()
  return (
    <Facts>
      <Fact label={t('fund.redemption.units')}>{units(preview.units)}</Fact>
      <MoneyFact label={t('fund.order.currentNav')} price amount={preview.nav} unit="USDT" />
      <Fact label={t('fund.redemption.profit')}>
        <Gain amount={preview.profit} />
      </Fact>
      <NetSum
        {...preview}
        feeLabel={t('fund.redemption.redemptionFee', { rate: formatPpm(preview.redemption_fee_ppm) })}
        managementLabel={t('fund.redemption.managementFee', { rate: formatPpm(preview.management_fee_ppm) })}
      />
      <Fact label={t('fund.income.to')}>{t('fund.income.ownBalance')}</Fact>
      <TimeFact label={t('fund.redemption.earliest')} value={preview.arrival_at} />
    </Facts>
  )
}

interface NetSumProps extends Pick<RedemptionPreview, 'value' | 'redemption_fee' | 'management_fee' | 'net'> {
  feeLabel: string
  managementLabel: string
}

/** The value of redeemed units less both fees. */
function NetSum({ value, redemption_fee, management_fee, net, feeLabel, managementLabel }: NetSumProps) {
  const { t } = useTranslation()
  return (
    <>
      <MoneyFact label={t('fund.redemption.value')} amount={value} unit="USDT" />
      <MoneyFact label={feeLabel} amount={`-${redemption_fee}`} unit="USDT" />
      <MoneyFact label={managementLabel} amount={`-${management_fee}`} unit="USDT" />
      <Fact sum label={t('fund.redemption.net')}>
        <Money amount={net} unit="USDT" className="text-20 font-semibold" />
      </Fact>
    </>
  )
}

/** The purchases that units are taken from, oldest first. */
export function LotList({ lots }: { lots: RedemptionPreview['lots'] }) {
  const { t } = useTranslation()
  const units = useUnits()
  return (
    <section aria-label={t('fund.redemption.lots')} className="flex flex-col gap-2 border-t border-line pt-4">
      <p className="text-14 font-medium">{t('fund.redemption.lots')}</p>
      <ul className="flex flex-col gap-2 text-14">
        {lots.map((lot) => (
          <li key={lot.order_id} className="flex justify-between gap-3">
            <span className="text-muted">{t('fund.redemption.lot', { id: lot.order_id })}</span>
            <span className="text-right">
              {units(lot.units)}
              <span className="block text-12 text-muted">
                {t('fund.redemption.boughtAt', { nav: formatPrice(lot.nav) })}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Every labelled field of a redemption. Specification section 3. */
export function RedemptionFacts({ redemption }: { redemption: FundRedemption }) {
  const { t } = useTranslation()
  const units = useUnits()
  const time = (value: string | null) => (value === null ? '–' : <Time value={value} />)
  const isOpen = redemption.status === 'Pending'
  return (
    <Facts>
      <AddressFact label={t('fund.redemption.number')} value={redemption.redemption_id} form="full" />
      <Fact label={t('fund.order.product')}>{redemption.product_name}</Fact>
      <Fact label={t('fund.order.status')}>{t(`fund.status.${redemption.status}`)}</Fact>
      <Fact label={isOpen ? t('fund.order.unitsRedeeming') : t('fund.redemption.units')}>
        {units(redemption.units)}
      </Fact>
      <Fact label={redemption.is_estimate ? t('fund.redemption.navNow') : t('fund.redemption.navThen')}>
        <Money price amount={redemption.nav} unit="USDT" />
        <PriceNote
          fund={redemption.product_name}
          productId={redemption.product_id}
          nav={redemption.nav}
          at={redemption.completed_at ?? undefined}
          className="ml-2"
        />
      </Fact>
      <MoneyFact label={t('fund.redemption.cost')} amount={redemption.cost} unit="USDT" />
      <Fact label={t('fund.redemption.profit')}>
        <Gain amount={redemption.profit} />
      </Fact>
      <NetSum
        {...redemption}
        feeLabel={t('fund.product.redemptionFee')}
        managementLabel={t('fund.product.managementFee')}
      />
      <Fact label={t('fund.redemption.submitted')}>{time(redemption.submitted_at)}</Fact>
      <Fact label={t('fund.redemption.audited')}>{time(redemption.audited_at)}</Fact>
      <Fact label={t('fund.redemption.arrival')}>
        {time(redemption.completed_at ?? redemption.arrival_at)}
      </Fact>
    </Facts>
  )
}

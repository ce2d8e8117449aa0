import type { FundHolding, FundProductDetail } from '@rif/api-schema'
import type { FormEvent } from 'react'
import { useTranslation } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Fact, Facts } from '../../../ui/card.tsx'
import { Money } from '../../../ui/money.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { ErrorState, Notice, Skeleton } from '../../../ui/states.tsx'
import { UnitsField } from '../../../ui/units-field.tsx'
import { useRedemptionForm } from '../use-redemption.ts'
import { useUnits } from '../use-units.ts'
import { LotList, PreviewFacts } from './redemption-facts.tsx'

export interface RedeemFormProps {
  product: FundProductDetail
  holding: FundHolding
  units: string
}

/** Units to redeem with what they bring now, and the one confirmation. */
export function RedeemForm({ product, holding, units }: RedeemFormProps) {
  const { t } = useTranslation()
  const form = useRedemptionForm(holding, units)
  const inWords = useUnits()
  const { units_redeemable } = holding
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    form.goOn()
  }
  return (
    <form aria-label={t('fund.redeem.title')} noValidate className="flex flex-col gap-4" onSubmit={onSubmit}>
      <Card>
        <Facts>
          <Fact label={t('fund.order.product')}>{holding.product_name}</Fact>
          <Fact label={t('fund.order.currentNav')}>
            {holding.nav === null ? '–' : <Money amount={holding.nav} unit="USDT" />}
          </Fact>
          <Fact label={t('fund.product.nextRedeemable')}>{holding.next_redeemable_day}</Fact>
        </Facts>
      </Card>
      <UnitsField
        label={t('fund.redeem.units')}
        unit={t('fund.unitWord')}
        lessLabel={t('fund.buy.less')}
        moreLabel={t('fund.buy.more')}
        min={1n}
        max={BigInt(units_redeemable)}
        value={form.units}
        onChange={form.setUnits}
        aside={
          <button
            type="button"
            className="inline-flex min-h-11 min-w-11 items-center font-semibold text-accent"
            onClick={() => form.setUnits(units_redeemable)}
          >
            {t('fund.redeem.all', { units: inWords(units_redeemable) })}
          </button>
        }
        hint={t('fund.redeem.oldestFirst')}
        error={form.problem === null ? undefined : t(`fund.problem.${form.problem}`)}
      />
      {form.hasFailed ? (
        <ErrorState onRetry={form.retry} />
      ) : form.preview !== undefined ? (
        <Card className="flex flex-col gap-4">
          <PreviewFacts preview={form.preview} />
          <LotList lots={form.preview.lots} />
        </Card>
      ) : (
        form.isFiguring && <Skeleton className="h-52" />
      )}
      <Notice>{t('fund.redeem.about', { count: product.queue_length })}</Notice>
      <Button type="submit" block busy={form.isFiguring}>
        {t('fund.continue')}
      </Button>
      {form.confirming !== null && <Confirm form={form} preview={form.confirming} />}
    </form>
  )
}

interface ConfirmProps {
  form: ReturnType<typeof useRedemptionForm>
  preview: NonNullable<ReturnType<typeof useRedemptionForm>['confirming']>
}

function Confirm({ form, preview }: ConfirmProps) {
  const { t } = useTranslation()
  return (
    <Sheet open onClose={form.close} dismissible={!form.isRedeeming} title={t('fund.redeem.confirmTitle')}>
      <div className="flex flex-col gap-5 pt-2">
        <PreviewFacts preview={preview} />
        <Facts>
          <Fact label={t('fund.income.to')}>{t('fund.income.ownBalance')}</Fact>
        </Facts>
        <p className="text-12 text-muted">{t('fund.redeem.estimateNote')}</p>
        <Button block busy={form.isRedeeming} onClick={() => form.confirm(preview)}>
          {t('fund.redeem.confirm')}
        </Button>
      </div>
    </Sheet>
  )
}

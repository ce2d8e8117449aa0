import { type FormEvent, type ReactNode, useState } from 'react'
import {
  ApiError,
  amountText,
  formatAmount,
  formatExact,
  isZero,
  LONG_TOAST_MS,
  redirectTo,
  showModal,
  showToast,
  TWO_DECIMALS,
  useApiMutation,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  AmountField,
  ASSET_OPTIONS,
  Avatar,
  addressText,
  Button,
  Card,
  DesktopOnly,
  FitsHint,
  Form,
  FormColumns,
  Notice,
  Segmented,
  Term,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import { LimitCard } from '../../../wallet/limit-card.tsx'
import { useSignedMutation } from '../../../wallet/member-consent.ts'
import { ReceiverField, useReceiver } from '../../../wallet/receiver/receiver-field.tsx'
import {
  addressProblem,
  checkWithdrawal,
  EMPTY_DRAFT,
  type JudgedRequest,
  judgeAmount,
  maxWithdrawal,
  type WithdrawLimit,
  type WithdrawRequest,
} from '../withdraw-draft.ts'
import { ConfirmWithdrawal, WhenCard, WithdrawPreview } from './confirm-sheet.tsx'
import { RecentWithdrawals } from './withdrawal-parts.tsx'

/** Asset, receiver, amount with a live preview; then the sheet with the one confirmation. */
export function WithdrawForm({ limit, ownAddress }: { limit: WithdrawLimit; ownAddress: string }) {
  const { t } = useTranslation()
  const form = useWithdrawForm(limit)
  const { values, field } = form
  const { asset } = values
  const amount = judgeAmount(values, limit)
  const isTooHigh = !amount.ok && amount.problem === 'insufficient'
  return (
    <Form
      aria-label={t('withdrawals.title')}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.isChecking) void form.goOn(event)
      }}
    >
      <FormColumns
        side={
          <>
            <WithdrawPreview draft={values} limit={limit} />
            <LimitCard limit={limit} worth={amount.ok ? amount.worth : null} />
            <WhenCard limit={limit} isAudited={amount.ok ? amount.isAudited : null} />
            <DesktopOnly>
              <RecentWithdrawals />
            </DesktopOnly>
          </>
        }
        action={
          <Button type="submit" moves="withdrawals" block busy={form.isChecking} disabled={isTooHigh}>
            {isTooHigh
              ? t('withdrawals.form.tooHigh')
              : amount.ok
                ? t('withdrawals.form.submit', { amount: `${formatExact(amount.amount)} ${asset}` })
                : t('withdrawals.title')}
          </Button>
        }
      >
        <Segmented label={t('withdrawals.form.asset')} options={ASSET_OPTIONS} {...field('asset')} />
        <AmountField
          label={t('withdrawals.form.amount')}
          unit={asset}
          {...field('amount')}
          max={maxWithdrawal(asset, limit)}
          aside={
            <Term name="available">
              {t('withdrawals.form.available', { amount: formatAmount(limit.available[asset]), asset })}
            </Term>
          }
          hint={
            amount.ok && (
              <FitsHint>
                {t('withdrawals.form.remains', { amount: formatAmount(amount.remains, TWO_DECIMALS) })}
              </FitsHint>
            )
          }
        />
        {!isZero(limit.free_refunds[asset]) && (
          <Notice>
            {t('withdrawals.form.free', { amount: formatExact(limit.free_refunds[asset]), asset })}
          </Notice>
        )}
        <Receiver form={form} ownAddress={ownAddress} />
      </FormColumns>
      {form.judged !== null && (
        <ConfirmWithdrawal
          judged={form.judged}
          ownAddress={ownAddress}
          limit={limit}
          isBusy={form.isSubmitting}
          onConfirm={form.confirm}
          onClose={form.closeJudged}
        />
      )}
    </Form>
  )
}

interface ReceiverProps {
  form: ReturnType<typeof useWithdrawForm>
  ownAddress: string
}

function Receiver({ form: { values, set, field }, ownAddress }: ReceiverProps) {
  const { t } = useTranslation()
  const receiver = useReceiver(values.toOwnWallet ? '' : values.address)
  const network = useAppConfig()?.chain.name
  return (
    <div className="flex flex-col gap-2">
      {values.toOwnWallet ? (
        <>
          <div className="flex items-center justify-between gap-3">
            <p className="text-14 font-medium">{t('withdrawals.form.to')}</p>
            <TextButton onClick={() => set({ toOwnWallet: false })}>{t('withdrawals.form.other')}</TextButton>
          </div>
          <Card className="flex items-center gap-3">
            <Avatar address={ownAddress} size={36} />
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{t('withdrawals.form.own')}</span>
              <Address value={ownAddress} copy={false} className="text-14 text-muted" />
              {network !== undefined && <span className="block text-14 text-muted">{network}</span>}
            </span>
          </Card>
        </>
      ) : (
        <ReceiverField
          {...field('address')}
          state={receiver}
          label={t('withdrawals.form.to')}
          aside={
            <TextButton onClick={() => set({ toOwnWallet: true })}>{t('withdrawals.form.toOwn')}</TextButton>
          }
          hint={t('withdrawals.form.addressHint')}
        />
      )}
    </div>
  )
}

/** A button in the form of a word, at the end of a line. */
function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="inline-flex min-h-11 min-w-11 items-center font-medium text-14 text-accent"
      onClick={onClick}
    >
      {children}
    </button>
  )
}

/**
 * The withdrawal form: the prompt for the day's limit, the server's check, and the request. A refusal keeps
 * typed values.
 */
function useWithdrawForm(limit: WithdrawLimit) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: 'withdraw',
    initial: EMPTY_DRAFT,
    check: (values) => checkWithdrawal(values, limit),
    text: (problem, values) => {
      const use = maxWithdrawal(values.asset, limit)
      const over = { typed: values.amount, use }
      if (problem === 'insufficient') return tooMuch(t, { ...over, most: limit.available[values.asset] })
      if (problem === 'dailyLimit') return tooMuch(t, { ...over, most: use, limit: 'today' })
      if (problem === 'addressInvalid') return addressText(t, values.address)
      return t(`withdrawals.problem.${problem}`, {
        fee: formatAmount(limit.minimum_fee_usdt),
        free: `${formatExact(limit.free_refunds[values.asset])} ${values.asset}`,
      })
    },
  })
  const [judged, setJudged] = useState<JudgedRequest | null>(null)
  const check = useApiMutation('withdrawCheck')
  const withdraw = useSignedMutation('withdraw', { refresh: ['withdrawLimit', 'withdrawals', 'me'] })

  const askServer = (request: WithdrawRequest) =>
    check.mutate(
      { body: request },
      {
        onSuccess: (answer) => setJudged({ request, check: answer }),
        onError: (error) => {
          if (error instanceof ApiError && error.error === 'INVALID_ADDRESS')
            form.refuse('address', 'addressInvalid')
        },
      },
    )

  /**
   * Offers the rest of the day's limit if it is less than the amount; otherwise lets the server check the
   * request.
   */
  async function goOn(event: FormEvent) {
    const amount = judgeAmount(form.values, limit)
    const { asset } = form.values
    if (!amount.ok && amount.problem === 'dailyLimit' && addressProblem(form.values) === null) {
      const isAccepted = await showModal({
        title: t('withdrawals.prompt.title'),
        content: t('withdrawals.prompt.text', { amount: formatExact(amount.remaining), asset }),
        confirmText: t('withdrawals.prompt.confirm'),
      })
      if (isAccepted) form.set({ amount: amountText(amount.remaining) })
    }
    form.submit(({ request }) => askServer(request))(event)
  }

  function submit() {
    if (judged === null) return
    const { asset, amount, fee, receives: arrives, to } = judged.check
    const wish = { kind: 'withdrawal', asset, amount, fee, arrives, to: to.toLowerCase() } as const
    withdraw.send({ body: judged.request, wish, needed: judged.check.needs_signature }, ({ withdraw_id }) => {
      form.clear()
      showToast(t('withdrawals.success.submitted'), { durationMs: LONG_TOAST_MS, tone: 'good' })
      redirectTo('/pages/withdrawal/withdrawalSunccess', { withdraw_id })
    })
  }

  return {
    ...form,
    goOn,
    isChecking: check.isPending,
    judged,
    closeJudged: () => setJudged(null),
    confirm: submit,
    isSubmitting: withdraw.isPending,
  }
}

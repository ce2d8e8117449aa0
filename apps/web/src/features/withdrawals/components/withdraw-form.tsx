import { useState } from 'react'
import {
  ApiError,
  amountText,
  formatAmount,
  formatExact,
  LONG_TOAST_MS,
  redirectTo,
  showModal,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  AmountField,
  addressText,
  buttonClass,
  Card,
  Form,
  Segmented,
  Spinner,
  TextField,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import { useSignedMutation } from '../../../wallet/member-consent.ts'
import { ContactsButton } from '../../../wallet/receiver/contacts-button.tsx'
import { LookAlikeWarning, useReceiver } from '../../../wallet/receiver/receiver-field.tsx'
import {
  addressProblem,
  checkWithdrawal,
  EMPTY_DRAFT,
  type JudgedRequest,
  judgeAmount,
  maxAmount,
  type WithdrawLimit,
  type WithdrawRequest,
} from '../withdraw-draft.ts'
import { ConfirmSheet, LimitLine, WithdrawPreview } from './confirm-sheet.tsx'

const ASSETS = ['USDT', 'AMC'] as const

/** Asset, receiver, amount with a live preview; then the sheet with the one confirmation. */
export function WithdrawForm({ limit, ownAddress }: { limit: WithdrawLimit; ownAddress: string }) {
  const { t } = useTranslation()
  const form = useWithdrawForm(limit)
  const { values, field } = form
  const { asset } = values
  return (
    <Form
      aria-label={t('withdrawals.title')}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.isChecking) void form.goOn()
      }}
    >
      <Segmented
        label={t('withdrawals.form.asset')}
        options={ASSETS.map((value) => ({ value, label: value }))}
        {...field('asset')}
      />
      <AmountField
        label={t('withdrawals.form.amount')}
        unit={asset}
        {...field('amount')}
        max={maxAmount(asset, limit)}
        aside={t('withdrawals.form.available', { amount: formatAmount(limit.available[asset]), asset })}
      />
      <Receiver form={form} ownAddress={ownAddress} />
      <Card className="flex flex-col gap-4">
        <WithdrawPreview draft={values} limit={limit} />
        <LimitLine limit={limit} />
      </Card>
      <button type="submit" aria-busy={form.isChecking || undefined} className={buttonClass('primary', true)}>
        {form.isChecking && <Spinner />}
        {t('withdrawals.form.continue')}
      </button>
      {form.judged !== null && (
        <ConfirmSheet
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

function Receiver({ form: { values, set, textField }, ownAddress }: ReceiverProps) {
  const { t } = useTranslation()
  const receiver = useReceiver(values.toOwnWallet ? '' : values.address)
  return (
    <div className="flex flex-col gap-2">
      <p aria-hidden="true" className="text-14 font-medium">
        {t('withdrawals.form.to')}
      </p>
      <Segmented
        label={t('withdrawals.form.to')}
        options={[
          { value: 'own', label: t('withdrawals.form.own') },
          { value: 'other', label: t('withdrawals.form.other') },
        ]}
        value={values.toOwnWallet ? 'own' : 'other'}
        onChange={(value) => set({ toOwnWallet: value === 'own' })}
      />
      {values.toOwnWallet ? (
        <Address value={ownAddress} form="full" className="px-1 text-14 text-muted" />
      ) : (
        <TextField
          label={t('withdrawals.form.address')}
          placeholder="0x…"
          autoCapitalize="off"
          spellCheck={false}
          {...textField('address')}
          hint={t('withdrawals.form.addressHint')}
          end={<ContactsButton onPick={(address) => set({ address })} />}
        />
      )}
      {receiver.is === 'known' && <LookAlikeWarning receiver={receiver.receiver} />}
    </div>
  )
}

/** The withdrawal form: the prompt for the day's limit, the server's judgement, and the request. Nothing typed is lost on a refusal. */
function useWithdrawForm(limit: WithdrawLimit) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: 'withdraw',
    initial: EMPTY_DRAFT,
    check: (values) => checkWithdrawal(values, limit),
    text: (problem, values) => {
      const use = maxAmount(values.asset, limit)
      const over = { typed: values.amount, use }
      if (problem === 'insufficient') return tooMuch(t, { ...over, most: limit.available[values.asset] })
      if (problem === 'dailyLimit') return tooMuch(t, { ...over, most: use, limit: 'today' })
      if (problem === 'addressInvalid') return addressText(t, values.address)
      return t(`withdrawals.problem.${problem}`, { fee: formatAmount(limit.minimum_fee_usdt) })
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

  /** Offers the rest of the day's limit when it is less than the amount; otherwise has the server judge the request. */
  async function goOn() {
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
    form.submit(({ request }) => askServer(request))()
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

import type { MoneyAsset } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  apiQuery,
  formatAmount,
  formatExact,
  isZero,
  LONG_TOAST_MS,
  redirectTo,
  restOf,
  shortAddress,
  showToast,
  TWO_DECIMALS,
  toAmount,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  ASSET_OPTIONS,
  Avatar,
  addressText,
  Button,
  Card,
  Chip,
  Chips,
  DesktopOnly,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  FitsHint,
  Form,
  FormColumns,
  FormSkeleton,
  Money,
  MoneyFact,
  NavLink,
  Notice,
  Page,
  Segmented,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import { LimitCard, type LimitCardProps } from '../../../wallet/limit-card.tsx'
import { useSignedMutation } from '../../../wallet/member-consent.ts'
import { ReceiverField, type ReceiverState, useReceiver } from '../../../wallet/receiver/receiver-field.tsx'
import { isExpired, type PaymentRequest } from '../../../wallet/request/payment-request.ts'
import { RequestButton } from '../../../wallet/request/request-button.tsx'
import { RequestNotice } from '../../../wallet/request/request-notice.tsx'
import { ConfirmTransfer, type Judged } from '../components/confirm-sheet.tsx'
import { RecentTransfers } from '../components/recent-transfers.tsx'
import {
  judgeTransferDraft,
  maxTransfer,
  type TransferFacts,
  type TransferRequest,
  worthOf,
} from '../transfer-draft.ts'

const PATH = '/pages/transfer/index'

/** Send to another member, from one balance to another, without a fee. Rules, section 10. */
export default function TransferPage() {
  const { t } = useTranslation()
  const request = useSearch({ from: PATH })
  const me = useQuery(apiQuery('me'))
  const contacts = useQuery(apiQuery('contacts'))
  const limit = useQuery(apiQuery('withdrawLimit'))
  const retry = () => {
    if (me.data === undefined) void me.refetch()
    if (contacts.data === undefined) void contacts.refetch()
    if (limit.data === undefined) void limit.refetch()
  }
  const isLoaded = me.data !== undefined && contacts.data !== undefined && limit.data !== undefined
  const available = me.data && { USDT: me.data.balances.USDT.available, AMC: me.data.balances.AMC.available }
  const isEmpty = available !== undefined && isZero(available.USDT) && isZero(available.AMC)
  return (
    <Page
      wide
      title={t('transfers.title')}
      actions={<NavLink to="/pages/transfer/list">{t('transfers.history')}</NavLink>}
    >
      {(me.isPending || contacts.isPending || limit.isPending) && <FormSkeleton />}
      {!isLoaded && (me.isError || contacts.isError || limit.isError) && <ErrorState onRetry={retry} />}
      {isLoaded && isEmpty && <NothingToSend />}
      {isLoaded && available !== undefined && !isEmpty && (
        <TransferForm
          facts={{
            available,
            minimum: contacts.data.minimum,
            remaining: limit.data.remaining,
            amcPrice: limit.data.prices.AMC,
          }}
          limit={limit.data}
          ownAddress={me.data.receive_address}
          request={request}
        />
      )}
    </Page>
  )
}

function NothingToSend() {
  const { t } = useTranslation()
  return (
    <>
      <EmptyState
        icon="send"
        title={t('transfers.nothing')}
        hint={t('transfers.nothingHint')}
        next={{ to: '/pages/rewardList/index', label: t('transfers.toRewards') }}
      />
      <RequestButton />
    </>
  )
}

const EMPTY: TransferRequest = { asset: 'USDT', amount: '', address: '' }

interface TransferFormProps {
  facts: TransferFacts
  limit: LimitCardProps['limit']
  ownAddress: string
  /** The values from the page's URL. */
  request: PaymentRequest
}

/** Asset, receiver and amount; then the sheet that shows both ends. A refusal keeps typed values. */
export function TransferForm({ facts, limit, ownAddress, request }: TransferFormProps) {
  const { t } = useTranslation()
  const [shownRequest, setShownRequest] = useState(request)
  const minimum = formatAmount(facts.minimum, { min: 0, max: 6 })
  const form = useDraftForm({
    name: 'transfer',
    initial: EMPTY,
    preset: filledBy(request),
    check: (values) => judgeTransferDraft(values, receiver, facts),
    text: (problem, values) => {
      const use = maxTransfer(values.asset, facts)
      const over = { typed: values.amount, use }
      if (problem === 'insufficient') return tooMuch(t, { ...over, most: facts.available[values.asset] })
      if (problem === 'dailyLimit') return tooMuch(t, { ...over, most: use, limit: 'today' })
      if (problem === 'addressInvalid') return addressText(t, values.address)
      const text = t(`transfers.problem.${problem}`, { minimum, asset: values.asset })
      return problem === 'belowMinimum' ? { text, use: facts.minimum } : text
    },
    passing: ['checking'],
  })
  const { asset, address } = form.values
  const [judged, setJudged] = useState<Judged | null>(null)
  const receiver: ReceiverState = useReceiver(address)
  const isTooHigh = form.asTyped('amount') === 'insufficient'
  const amount =
    form.values.amount === '' || form.asTyped('amount') !== undefined ? null : toAmount(form.values.amount)
  const check = useApiMutation('transferCheck')
  const send = useSignedMutation('transfer', {
    refresh: ['me', 'transfers', 'contacts', 'receiver', 'withdrawLimit'],
  })
  const goOn = form.submit(({ request }) => {
    if (receiver.is !== 'known') return
    const onSuccess = (answer: Judged['check']) =>
      setJudged({ request, receiver: receiver.receiver, check: answer })
    check.mutate({ body: request }, { onSuccess })
  })
  const submit = () => {
    if (judged === null) return
    const { amount, to: receiverAddress } = judged.check
    const wish = {
      ...({ kind: 'transfer', asset: judged.check.asset, amount } as const),
      to: receiverAddress.toLowerCase(),
    }
    send.send({ body: judged.request, wish, needed: judged.check.needs_signature }, ({ status }) => {
      form.clear()
      const text = status === 'Auditing' ? t('transfers.held') : t('transfers.success')
      showToast(text, { durationMs: LONG_TOAST_MS, tone: 'good' })
      redirectTo('/pages/transfer/list')
    })
  }
  return (
    <Form aria-label={t('transfers.title')} onSubmit={goOn}>
      <FormColumns
        side={
          <>
            <TransferPreview amount={amount} asset={asset} />
            <LimitCard limit={limit} worth={worthOf(form.values, facts)} />
            <Notice>{t('transfers.about')}</Notice>
            <RequestButton />
            <DesktopOnly>
              <RecentTransfers />
            </DesktopOnly>
          </>
        }
        action={
          <Button type="submit" moves="transfers" block busy={check.isPending} disabled={isTooHigh}>
            {isTooHigh
              ? t('transfers.tooHigh')
              : amount === null
                ? t('transfers.submit')
                : t('transfers.submitAmount', { amount: `${formatExact(amount)} ${asset}` })}
          </Button>
        }
      >
        <RequestNotice request={shownRequest} />
        <Segmented label={t('transfers.asset')} options={ASSET_OPTIONS} {...form.field('asset')} />
        <AmountField
          label={t('transfers.amount')}
          unit={asset}
          {...form.field('amount')}
          max={maxTransfer(asset, facts)}
          aside={t('transfers.available', { amount: formatAmount(facts.available[asset]), asset })}
          hint={
            amount === null ? (
              t('transfers.minimum', { minimum, asset })
            ) : (
              <FitsHint>
                {t('transfers.remains', {
                  amount: formatAmount(restOf(facts.available[asset], amount), TWO_DECIMALS),
                })}
              </FitsHint>
            )
          }
        />
        <ReceiverField
          {...form.field('address')}
          state={receiver}
          onRequest={(scannedRequest) => {
            setShownRequest(scannedRequest)
            form.set(filledBy(scannedRequest))
          }}
        />
        {address === '' && <Receivers onPick={(picked) => form.set({ address: picked })} />}
      </FormColumns>
      {judged !== null && (
        <ConfirmTransfer
          {...judged}
          ownAddress={ownAddress}
          isBusy={send.isPending}
          onConfirm={submit}
          onClose={() => setJudged(null)}
        />
      )}
    </Form>
  )
}

/** Returns the values from a request: none after its last day, and no asset that is not on the platform. */
function filledBy(request: PaymentRequest): Partial<TransferRequest> {
  if (isExpired(request, Date.now())) return {}
  const { to, asset, amount } = request
  if (asset === 'ETH') return to === undefined ? {} : { address: to }
  return { ...(to && { address: to }), ...(asset && { asset }), ...(amount && { amount }) }
}

/** Shows the amount, the zero fee, and the amount received. */
function TransferPreview({ amount, asset }: { amount: string | null; asset: MoneyAsset }) {
  const { t } = useTranslation()
  if (amount === null)
    return (
      <Card className="text-14 text-muted">
        <p>{t('transfers.soon')}</p>
      </Card>
    )
  return (
    <Card>
      <Facts>
        <MoneyFact label={t('transfers.leaves')} amount={amount} unit={asset} exact />
        <Fact label={t('transfers.confirm.fee')}>{t('transfers.confirm.noFee')}</Fact>
        <Fact label={t('transfers.confirm.arrives')} sum>
          <Money amount={amount} unit={asset} exact className="text-16 font-semibold" />
        </Fact>
      </Facts>
    </Card>
  )
}

const SHOWN_RECEIVERS = 4

/** Named receivers and the most recent ones, one tap away. */
function Receivers({ onPick }: { onPick: (address: string) => void }) {
  const { t } = useTranslation()
  const contacts = useQuery(apiQuery('contacts')).data
  const receivers = contacts === undefined ? [] : [...contacts.saved, ...contacts.recent]
  const shown = [...new Map(receivers.map((contact) => [contact.address, contact])).values()]
  if (shown.length === 0) return null
  return (
    <Chips label={t('transfers.known')}>
      {shown.slice(0, SHOWN_RECEIVERS).map(({ address, label }) => (
        <Chip key={address} onClick={() => onPick(address)}>
          <Avatar address={address} size={20} />
          {label ?? shortAddress(address)}
        </Chip>
      ))}
    </Chips>
  )
}

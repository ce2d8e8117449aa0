import type { WalletSend } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError, apiFollow, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  buttonClass,
  Card,
  CardSection,
  Columns,
  EmptyState,
  Fact,
  Facts,
  Followed,
  LongFact,
  Money,
  Notice,
  Page,
  Pill,
  type Step,
  Stepper,
  TimeFact,
  TokenMark,
} from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { readIntent } from '../send-plan.ts'
import { isSendOpen, SEND_TONES, toWire } from '../wallet-view.ts'

/** A send in progress: in a block, its confirmations, or its failure. */
export default function ResultPage() {
  const { t } = useTranslation()
  const { tx_hash } = useSearch({ from: '/pages/localWallet/result' })
  const query = useQuery(
    apiFollow('walletSend', { params: { first_hash: tx_hash } }, isSendOpen, { expected: 'NOT_FOUND' }),
  )
  const { refetch } = query
  const isUnknown =
    query.data === undefined && query.error instanceof ApiError && query.error.error === 'NOT_FOUND'
  // The server may have been unreachable right after the wallet had sent.
  useEffect(() => {
    if (readIntent()?.hash !== tx_hash) return
    void import('../send-run.ts').then(({ tellIntent }) => tellIntent()).then(() => refetch())
  }, [tx_hash, refetch])
  return (
    <Page wide title={t('localWallet.result')}>
      {isUnknown ? (
        <EmptyState
          icon="search"
          title={t('localWallet.unknown')}
          hint={t('localWallet.unknownHint')}
          next={{ to: '/pages/localWallet/list', label: t('localWallet.history') }}
        />
      ) : (
        <Followed query={query} staleText={t('localWallet.stale')}>
          {(send) => <Result send={send} />}
        </Followed>
      )}
    </Page>
  )
}

function Result({ send }: { send: WalletSend }) {
  const { t } = useTranslation()
  const { status, asset, amount, to, label } = send
  return (
    <Columns
      side={
        <>
          <CardSection title={t('localWallet.facts')}>
            <Facts>
              <LongFact label={t('localWallet.to')}>
                {label !== null && <span className="block font-semibold">{label}</span>}
                <Address value={to} form="full" />
              </LongFact>
              <Fact label={t('localWallet.way')}>
                {send.by_contract ? t('localWallet.byContract') : t('localWallet.plain')}
              </Fact>
              <Fact label={t('localWallet.hash')}>
                <TxHash value={send.tx_hash} />
              </Fact>
              <TimeFact label={t('localWallet.time')} value={send.block_at ?? send.told_at} />
            </Facts>
          </CardSection>
          <PageLink to="/pages/localWallet/index" className={buttonClass('secondary', true)}>
            {t('localWallet.back')}
          </PageLink>
        </>
      }
    >
      <div className="flex flex-col items-center gap-1 py-2 text-center">
        <TokenMark token={asset} />
        <Money
          amount={toWire(amount)}
          unit={asset}
          exact
          className="font-display text-36 font-semibold max-[359px]:text-28"
        />
        <span role="status">
          <Pill tone={SEND_TONES[status]}>{t(`localWallet.status.${status}`)}</Pill>
        </span>
      </div>
      {status === 'Sent' && <Notice>{t('localWallet.slow')}</Notice>}
      {(status === 'Failed' || status === 'Replaced' || status === 'Lost') && (
        <Notice tone={status === 'Failed' ? 'bad' : 'warn'}>{t(`localWallet.end.${status}`)}</Notice>
      )}
      <Card>
        <Stepper label={t('flow.label')} steps={stepsOf(send, t)} />
      </Card>
    </Columns>
  )
}

type Translate = ReturnType<typeof useTranslation>['t']

function stepsOf({ status, confirmations, confirmations_needed: needed }: WalletSend, t: Translate): Step[] {
  const isMined = status === 'Confirming' || status === 'Success'
  const hasEnded = status === 'Failed' || status === 'Replaced' || status === 'Lost'
  const count = t('localWallet.confirmations', { count: confirmations, needed })
  return [
    { id: 'sent', title: t('localWallet.status.Sent'), state: 'done' },
    {
      id: 'block',
      title: t('localWallet.status.Confirming'),
      state: isMined ? 'done' : hasEnded ? 'failed' : 'active',
      ...(isMined && { detail: count }),
    },
    {
      id: 'final',
      title: t('localWallet.status.Success'),
      state: status === 'Success' ? 'done' : status === 'Confirming' ? 'active' : 'waiting',
    },
  ]
}

import type { Transfer, TransferDirection, TransferStatus } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  apiList,
  formatTime,
  LONG_TOAST_MS,
  PageLink,
  redirectTo,
  shortAddress,
  showModal,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  Button,
  buttonClass,
  Card,
  CsvButton,
  EmptyState,
  Fact,
  Facts,
  IconCircle,
  InfiniteList,
  LongFact,
  Money,
  NavLink,
  Notice,
  Page,
  Pill,
  Segmented,
  Sheet,
  TimeFact,
  type Tone,
} from '../../../ui/index.ts'

const PATH = '/pages/transfer/list'
const DIRECTIONS = ['in', 'out'] as const satisfies readonly TransferDirection[]
const ASSETS = ['USDT', 'AMC'] as const
/** The colour of each status, which repeats its text. */
const TONES: Readonly<Record<TransferStatus, Tone>> = {
  Auditing: 'warn',
  Success: 'good',
  Rejected: 'bad',
  Cancelled: 'neutral',
}

/** The transfers from and to other members, newest first. The filters are part of the address. */
export default function TransferListPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  const [opened, setOpened] = useState<Transfer | null>(null)
  const query = useInfiniteQuery(apiList('transfers', { query: search }))
  const all = { value: 'all' as const, label: t('common.all') }
  const isFiltered = Object.keys(search).length > 0
  return (
    <Page
      wide
      title={t('transfers.list.title')}
      actions={
        <>
          <CsvButton name="transfers" query={search} />
          <NavLink to="/pages/transfer/index">{t('transfers.list.send')}</NavLink>
        </>
      }
    >
      <div className="flex flex-wrap gap-2">
        <Segmented
          label={t('transfers.list.direction')}
          options={[all, ...DIRECTIONS.map((value) => ({ value, label: t(`transfers.list.${value}`) }))]}
          value={search.direction ?? 'all'}
          onChange={(value) =>
            redirectTo(PATH, { ...search, direction: value === 'all' ? undefined : value })
          }
        />
        <Segmented
          label={t('transfers.asset')}
          options={[all, ...ASSETS.map((value) => ({ value, label: value }))]}
          value={search.asset ?? 'all'}
          onChange={(value) => redirectTo(PATH, { ...search, asset: value === 'all' ? undefined : value })}
        />
      </div>
      <InfiniteList
        query={query}
        label={t('transfers.list.title')}
        keyOf={(transfer) => transfer.transfer_id}
        render={(transfer) => <TransferRow transfer={transfer} onOpen={setOpened} />}
        empty={<NoTransfers isFiltered={isFiltered} />}
      />
      {opened !== null && <TransferSheet transfer={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

function TransferRow({ transfer, onOpen }: { transfer: Transfer; onOpen: (transfer: Transfer) => void }) {
  const { t } = useTranslation()
  const { direction, counterpart, label, amount, asset, created_at } = transfer
  return (
    <Card className="py-2">
      <button
        type="button"
        className="flex min-h-14 w-full items-center gap-3 py-2 text-left"
        onClick={() => onOpen(transfer)}
      >
        <IconCircle icon={direction === 'in' ? 'receive' : 'send'} />
        <span className="min-w-0 flex-1">
          <span className="block text-16">{t(`transfers.list.${direction}`)}</span>
          <span className="block wrap-anywhere text-12 text-muted">{label ?? shortAddress(counterpart)}</span>
          <span className="block text-12 text-muted">{formatTime(created_at)}</span>
          {transfer.status !== 'Success' && (
            <Pill tone={TONES[transfer.status]}>{t(`transfers.status.${transfer.status}`)}</Pill>
          )}
        </span>
        <span className="text-16 font-medium">
          <Money amount={direction === 'in' ? amount : `-${amount}`} unit={asset} signed exact />
        </span>
      </button>
    </Card>
  )
}

/** One transfer in full, with a way to send to the same member. */
function TransferSheet({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const { t } = useTranslation()
  const { direction, counterpart, label, amount, asset, created_at, transfer_id, status } = transfer
  return (
    <Sheet open onClose={onClose} title={t(`transfers.list.${direction}`)}>
      <div className="flex flex-col gap-5 pt-2">
        <Money amount={amount} unit={asset} exact className="text-28 font-semibold" />
        {status === 'Auditing' && (
          <Notice tone="warn" title={t('transfers.status.Auditing')}>
            {t('transfers.heldHint')}
          </Notice>
        )}
        <Facts>
          {status !== 'Success' && (
            <Fact label={t('transfers.list.status')}>
              <Pill tone={TONES[status]}>{t(`transfers.status.${status}`)}</Pill>
            </Fact>
          )}
          {transfer.reject_reason !== null && (
            <Fact label={t('transfers.list.reason')}>{transfer.reject_reason}</Fact>
          )}
          <LongFact label={direction === 'in' ? t('transfers.confirm.from') : t('transfers.confirm.to')}>
            {label !== null && <span className="block font-semibold">{label}</span>}
            <Address value={counterpart} form="full" />
          </LongFact>
          <TimeFact label={t('transfers.list.time')} value={created_at} />
          <Fact label={t('transfers.list.id')}>{transfer_id}</Fact>
          <Fact label={t('transfers.confirm.fee')}>{t('transfers.confirm.noFee')}</Fact>
        </Facts>
        {status === 'Auditing' && <CancelButton transfer={transfer} onDone={onClose} />}
        <PageLink
          to="/pages/transfer/index"
          search={{ to: counterpart }}
          className={buttonClass('secondary', true)}
        >
          {t('transfers.list.again')}
        </PageLink>
      </div>
    </Sheet>
  )
}

/** Takes a held transfer back. */
function CancelButton({ transfer, onDone }: { transfer: Transfer; onDone: () => void }) {
  const { t } = useTranslation()
  const cancel = useApiMutation('cancelTransfer', { refresh: ['transfers', 'me', 'withdrawLimit'] })
  const ask = async () => {
    const content = t('transfers.cancelAsk')
    if (!(await showModal({ title: t('transfers.cancel'), content, confirmText: t('transfers.cancel') })))
      return
    cancel.mutate(
      { params: { transfer_id: transfer.transfer_id } },
      {
        onSuccess: () => {
          showToast(t('transfers.status.Cancelled'), { durationMs: LONG_TOAST_MS, tone: 'good' })
          onDone()
        },
      },
    )
  }
  return (
    <Button variant="danger" moves="agreed" block busy={cancel.isPending} onClick={() => void ask()}>
      {t('transfers.cancel')}
    </Button>
  )
}

function NoTransfers({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="send"
      title={isFiltered ? t('transfers.list.emptyFiltered') : t('transfers.list.empty')}
      hint={t('transfers.list.emptyHint')}
      next={{ to: '/pages/transfer/index', label: t('transfers.list.send') }}
    />
  )
}

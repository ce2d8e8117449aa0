import type { RouteData } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showModal, showToast, useAppConfig, useSession, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  AddressFact,
  Button,
  Card,
  Fact,
  Facts,
  Icon,
  Notice,
  Pill,
  Sheet,
} from '../../../ui/index.ts'
import type { BankSwitch } from '../../../wallet/admin-calls.ts'
import { FlowError, problemText, walletProblem } from '../../../wallet/provider.ts'
import { useMay } from '../components/admin-page.tsx'

type BankState = NonNullable<RouteData<'emergency'>['chain']>

/** The bank contract's own switches. The server holds no key for them: the wallet of a pauser, or of the default admin, sends the transaction. */
export function BankSwitches({ state }: { state: RouteData<'emergency'>['chain'] }) {
  const { t } = useTranslation()
  const may = useMay()
  const [asked, setAsked] = useState<BankSwitch | null>(null)
  if (state === null) return <Notice tone="warn">{t('admin.emergency.noChain')}</Notice>
  const canSwitch = may('owner') && (state.you.pauser || state.you.admin)
  return (
    <>
      <p className="px-1 text-14 text-muted">{t('admin.emergency.bankAbout')}</p>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <section aria-label={t('admin.emergency.bank.orders')}>
          <Card className="flex h-full flex-col gap-3">
            <Head
              name={t('admin.emergency.bank.orders')}
              isOn={!state.orders_paused}
              text={t(state.orders_paused ? 'admin.emergency.paused' : 'admin.emergency.running')}
            />
            <p className="flex-1 text-14 text-muted">{t('admin.emergency.bank.ordersAbout')}</p>
            <Switch
              may={may('owner')}
              state={state}
              stop="pauseOrders"
              go="unpauseOrders"
              isStopped={state.orders_paused}
              onAsk={setAsked}
            />
          </Card>
        </section>
        <section aria-label={t('admin.emergency.bank.signer')}>
          <Card className="flex h-full flex-col gap-3">
            <Head
              name={t('admin.emergency.bank.signer')}
              isOn={state.claim_signer_appointed}
              text={t(
                state.claim_signer_appointed ? 'admin.emergency.appointed' : 'admin.emergency.dismissed',
              )}
            />
            <p className="flex-1 text-14 text-muted">{t('admin.emergency.bank.signerAbout')}</p>
            <Facts>
              <AddressFact label={t('admin.emergency.signer')} value={state.claim_signer} />
            </Facts>
            <Switch
              may={may('owner')}
              state={state}
              stop="dismissClaimSigner"
              go="appointClaimSigner"
              isStopped={!state.claim_signer_appointed}
              onAsk={setAsked}
            />
          </Card>
        </section>
      </div>
      {may('owner') && !canSwitch && <Notice tone="info">{t('admin.emergency.notYou')}</Notice>}
      {asked !== null && (
        <BankSheet what={asked} signer={state.claim_signer} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

function Head({ name, isOn, text }: { name: string; isOn: boolean; text: string }) {
  return (
    <p className="flex items-center justify-between gap-3">
      <span className="text-16 font-semibold">{name}</span>
      <Pill tone={isOn ? 'good' : 'bad'}>{text}</Pill>
    </p>
  )
}

interface SwitchProps {
  may: boolean
  state: BankState
  /** A pauser's. */
  stop: BankSwitch
  /** The default admin's. */
  go: BankSwitch
  isStopped: boolean
  onAsk: (what: BankSwitch) => void
}

/** The button that this wallet can press, or who can. */
function Switch({ may, state, stop, go, isStopped, onAsk }: SwitchProps) {
  const { t } = useTranslation()
  if (!may) return null
  const what = isStopped ? go : stop
  const isMine = isStopped ? state.you.admin : state.you.pauser
  if (!isMine) {
    return (
      <p className="text-12 text-muted">
        {t(isStopped ? 'admin.emergency.byAdmin' : 'admin.emergency.byPauser')}
      </p>
    )
  }
  return (
    <Button variant={isStopped ? 'secondary' : 'danger'} onClick={() => onAsk(what)}>
      {t(`admin.emergency.call.${what}`)}
    </Button>
  )
}

interface BankSheetProps {
  what: BankSwitch
  signer: string
  onClose: () => void
}

/** Explains the transaction, then opens the wallet. */
function BankSheet({ what, signer, onClose }: BankSheetProps) {
  const { t } = useTranslation()
  const config = useAppConfig()
  const client = useQueryClient()
  const { tokenAddress } = useSession()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (config === undefined) return
    setBusy(true)
    try {
      const { callBank } = await import('../../../wallet/admin-calls.ts')
      const isDone = await callBank(config, what, signer)
      showToast(t(isDone ? 'admin.emergency.inBlock' : 'admin.emergency.sent'), { tone: 'good' })
      onClose()
    } catch (error) {
      const content = problemText(error instanceof FlowError ? error.problem : walletProblem(error))
      await showModal({ content, confirmText: t('common.ok'), showCancel: false })
    } finally {
      setBusy(false)
      await client.invalidateQueries({ queryKey: ['emergency'] })
    }
  }
  return (
    <Sheet open onClose={onClose} title={t(`admin.emergency.call.${what}`)}>
      <div className="flex flex-col gap-4">
        <section aria-label={t('preview.title')} className="flex flex-col gap-3 rounded-12 bg-sunken p-4">
          <h3 className="text-14 font-semibold">{t('preview.title')}</h3>
          <p className="text-14">{t(`admin.emergency.does.${what}`)}</p>
          <Facts>
            <Fact label={t('preview.leaves')}>{t('preview.nothing')}</Fact>
            <AddressFact label={t('admin.emergency.from')} value={tokenAddress} copy={false} />
            {(what === 'dismissClaimSigner' || what === 'appointClaimSigner') && (
              <AddressFact label={t('admin.emergency.signer')} value={signer} copy={false} />
            )}
            <Fact label={t('preview.contract')}>
              <span className="flex flex-col items-end">
                <span className="inline-flex items-center gap-1 font-medium text-good">
                  <Icon name="check" size={16} />
                  {t('preview.contract_bank')}
                </span>
                {config !== undefined && <Address value={config.contracts.bank} copy={false} />}
              </span>
            </Fact>
            <Fact label={t('preview.cost')}>{t('preview.networkFee')}</Fact>
          </Facts>
          <p className="text-12 text-muted">{t('preview.compare')}</p>
        </section>
        <Button busy={busy} disabled={config === undefined} onClick={() => void send()}>
          {t('admin.emergency.send')}
        </Button>
      </div>
    </Sheet>
  )
}

import type { BankCallBody, RouteData } from '@rif/api-schema'
import { Fragment, type ReactNode, useState } from 'react'
import { shortAddress, useTranslation } from '../../../lib/index.ts'
import {
  AddressFact,
  Button,
  Card,
  type Checked,
  Facts,
  Form,
  Notice,
  Pill,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { isAddress } from '../grants/grant-lines.ts'
import { BankQueue, type LabelOf } from './bank-queue.tsx'
import { type BankRequest, BankSheet, type BankSheetProps, type OnAsk } from './bank-sheet.tsx'
import { CapsCard } from './caps-card.tsx'

type State = NonNullable<RouteData<'emergency'>['chain']>

const ofSession = (sheetProps: BankSheetProps) => <BankSheet {...sheetProps} />

/** The switches of the newest bank, and of each earlier one that has not handed over. */
export function BankSwitches({
  chain,
  formerBanks,
}: {
  chain: State
  formerBanks: RouteData<'emergency'>['former_banks']
}) {
  const { t } = useTranslation()
  const may = useMay()
  const shared = { mayAsk: may('approver'), mayRaise: may('approver'), sheet: ofSession }
  return (
    <>
      <OneBank state={chain} labelOf={(text) => text} {...shared} />
      {formerBanks.map((state) => (
        <section key={state.bank} aria-label={t('admin.emergency.formerBank')} className="contents">
          <Facts>
            <AddressFact label={t('admin.emergency.formerBank')} value={state.bank} />
          </Facts>
          <OneBank state={state} labelOf={(text) => `${text}, ${shortAddress(state.bank)}`} {...shared} />
        </section>
      ))}
    </>
  )
}

interface OneBankProps {
  state: State
  labelOf: LabelOf
  /** True to show the buttons for the wallet's roles. */
  mayAsk: boolean
  mayRaise: boolean
  /** Keys that the bank accepts besides the one of `state`. */
  otherKeys?: readonly string[]
  /** Returns the sheet that explains a call and sends it. */
  sheet: (sheetProps: BankSheetProps) => ReactNode
}

/** A bank contract's own switches. The server holds no key for them: the wallet of a pauser, or of the default admin, sends the transaction. */
export function OneBank({ state, labelOf, mayAsk, mayRaise, otherKeys = [], sheet }: OneBankProps) {
  const { t } = useTranslation()
  const [request, setRequest] = useState<BankRequest | null>(null)
  const ask: OnAsk = (what, onSent) => setRequest({ what, onSent })
  const { pauser, guardian, admin } = state.you
  const isQueued = (key: string) => state.queue.some(({ subject }) => subject === key)
  const keys = state.claim_signer === null ? [] : [state.claim_signer, ...otherKeys]
  return (
    <>
      <p className="px-1 text-14 text-muted">{t('admin.emergency.bankAbout')}</p>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 md:items-start">
        <div className="flex flex-col gap-4">
          <section aria-label={labelOf(t('admin.emergency.bank.orders'))}>
            <Card className="flex flex-col gap-3">
              <Head
                name={t('admin.emergency.bank.orders')}
                isOn={!state.orders_paused}
                text={t(state.orders_paused ? 'admin.emergency.paused' : 'admin.emergency.running')}
              />
              <p className="text-14 text-muted">{t('admin.emergency.bank.ordersAbout')}</p>
              <Switch
                stop={{ call: 'pauseOrders', subject: 'bank', isMine: pauser || guardian }}
                go={{ call: 'unpauseOrders', subject: 'bank', isMine: admin }}
                isStopped={state.orders_paused}
                mayAsk={mayAsk}
                bank={state.bank}
                onAsk={ask}
              />
            </Card>
          </section>
          <CapsCard state={state} labelOf={labelOf} mayRaise={mayRaise} onAsk={ask} />
        </div>
        <section aria-label={labelOf(t('admin.emergency.bank.signer'))}>
          <Card className="flex flex-col gap-3">
            <Head
              name={t('admin.emergency.bank.signer')}
              isOn={state.claim_signer_appointed}
              text={t(
                state.claim_signer_appointed ? 'admin.emergency.appointed' : 'admin.emergency.dismissed',
              )}
            />
            <p className="text-14 text-muted">{t('admin.emergency.bank.signerAbout')}</p>
            {keys.map((key) => (
              <Fragment key={key}>
                <Facts>
                  <AddressFact label={t('admin.emergency.signer')} value={key} />
                </Facts>
                {!isQueued(key) && (
                  <Switch
                    stop={{ call: 'dismissClaimSigner', subject: key, isMine: pauser }}
                    go={{ call: 'queueClaimSigner', subject: key, isMine: admin }}
                    isStopped={!state.claim_signer_appointed}
                    mayAsk={mayAsk}
                    bank={state.bank}
                    onAsk={ask}
                  />
                )}
              </Fragment>
            ))}
            {mayAsk && admin && <StandbyKey bank={state.bank} labelOf={labelOf} onAsk={ask} />}
          </Card>
        </section>
      </div>
      <BankQueue state={state} labelOf={labelOf} mayAsk={mayAsk} onAsk={ask} />
      {mayAsk && !pauser && !guardian && !admin && <Notice tone="info">{t('admin.emergency.notYou')}</Notice>}
      {request !== null && sheet({ ...request, onClose: () => setRequest(null) })}
    </>
  )
}

/** Announces a further claim key in advance, so that a dismissal stops no claims for 48 hours. */
function StandbyKey({ bank, labelOf, onAsk }: { bank: string; labelOf: LabelOf; onAsk: OnAsk }) {
  const { t } = useTranslation()
  const { textField, submit, reset } = useDraftForm({
    name: `standby key ${bank}`,
    initial: { key: '' },
    check: ({ key }): Checked<{ key: string }, { ok: true; subject: string }, 'badWallet'> => {
      const subject = key.trim()
      return isAddress(subject) ? { ok: true, subject } : { ok: false, problems: { key: 'badWallet' } }
    },
    text: (problem) => t(`admin.roles.${problem}`),
    recheck: true,
  })
  return (
    <Form
      className="gap-3"
      aria-label={labelOf(t('admin.emergency.standbyKey'))}
      onSubmit={submit(({ subject }) => onAsk({ call: 'queueClaimSigner', subject, bank }, reset))}
    >
      <TextField
        label={t('admin.emergency.standbyKey')}
        hint={t('admin.emergency.standbyHint')}
        autoComplete="off"
        {...textField('key')}
      />
      <Button variant="secondary" type="submit">
        {t('admin.emergency.call.queueClaimSigner')}
      </Button>
    </Form>
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

interface OfferedCall extends Omit<BankCallBody, 'bank'> {
  call: 'pauseOrders' | 'unpauseOrders' | 'dismissClaimSigner' | 'queueClaimSigner'
  /** True if this wallet's role in the contract allows it. */
  isMine: boolean
}

interface SwitchProps {
  stop: OfferedCall
  go: OfferedCall
  isStopped: boolean
  mayAsk: boolean
  bank: string
  onAsk: OnAsk
}

/** The button for this wallet, or the wallets that can press it. */
function Switch({ stop, go, isStopped, mayAsk, bank, onAsk }: SwitchProps) {
  const { t } = useTranslation()
  if (!mayAsk) return null
  const { call, subject, isMine } = isStopped ? go : stop
  if (!isMine) {
    return (
      <p className="text-12 text-muted">
        {t(isStopped ? 'admin.emergency.byAdmin' : 'admin.emergency.byPauser')}
      </p>
    )
  }
  return (
    <Button variant={isStopped ? 'secondary' : 'danger'} onClick={() => onAsk({ call, subject, bank })}>
      {t(`admin.emergency.call.${call}`)}
    </Button>
  )
}

import type { RouteData } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppConfig } from '../../../lib/app-config.ts'
import { showModal, showToast } from '../../../lib/overlays.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Notice } from '../../../ui/states.tsx'
import { useMay } from '../use-role.ts'

const SWITCHES = ['orders', 'claims'] as const

/** The bank contract's own switches. The server holds no key for them: a pauser's wallet sends the transaction. */
export function BankSwitches({ state }: { state: RouteData<'emergency'>['chain'] }) {
  const { t } = useTranslation()
  const may = useMay()
  const config = useAppConfig()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  if (state === null) return <Notice tone="warn">{t('admin.emergency.noChain')}</Notice>
  const stop = async (what: (typeof SWITCHES)[number]) => {
    if (config === undefined) return
    const content = t(`admin.emergency.confirm.${what}`)
    if (!(await showModal({ content, confirmText: t('admin.emergency.pause') }))) return
    setBusy(true)
    try {
      const { pauseBank } = await import('../../../wallet/bank-pause.ts')
      await pauseBank(config, what)
      showToast(t('admin.emergency.sent'), { tone: 'good' })
    } catch {
      await showModal({
        content: t('admin.emergency.notPauser'),
        confirmText: t('common.ok'),
        showCancel: false,
      })
    } finally {
      setBusy(false)
      await client.invalidateQueries({ queryKey: ['emergency'] })
    }
  }
  return (
    <Card className="flex flex-col divide-y divide-line py-1">
      {SWITCHES.map((what) => (
        <div key={what} className="flex flex-wrap items-center gap-3 py-3 text-14">
          <span className="min-w-48 flex-1">{t(`admin.emergency.bank.${what}`)}</span>
          <Pill tone={state[what] ? 'bad' : 'good'}>
            {t(state[what] ? 'admin.emergency.paused' : 'admin.emergency.running')}
          </Pill>
          {may('owner') && !state[what] && (
            <Button variant="danger" busy={busy} onClick={() => void stop(what)}>
              {t('admin.emergency.pause')}
            </Button>
          )}
        </div>
      ))}
    </Card>
  )
}

import { useAppConfig, useTranslation } from '../lib/index.ts'
import { Icon } from './icon.tsx'

/** The way to an address, a token or a transaction in the chain's explorer; nothing on a chain without one. */
export function ExplorerLink({ kind, value }: { kind: 'address' | 'token' | 'tx'; value: string }) {
  const { t } = useTranslation()
  const explorerUrl = useAppConfig()?.chain.explorer_url ?? null
  if (explorerUrl === null) return null
  return (
    <a
      href={`${explorerUrl.replace(/\/$/, '')}/${kind}/${value}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t('common.explorer')}
      className="-my-3 inline-grid size-11 shrink-0 place-items-center rounded-12 text-muted hover:bg-sunken print:hidden"
    >
      <Icon name="external" size={16} />
    </a>
  )
}

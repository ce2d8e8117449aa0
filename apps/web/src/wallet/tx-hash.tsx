import { useAppConfig } from '../lib/app-config.ts'
import { useTranslation } from '../lib/i18n.ts'
import { Address } from '../ui/address.tsx'
import { Icon } from '../ui/icon.tsx'

/** A transaction's hash with copy and, where the chain has an explorer, a link to it. */
export function TxHash({ value }: { value: string }) {
  const { t } = useTranslation()
  const explorerUrl = useAppConfig()?.chain.explorer_url ?? null
  return (
    <span className="inline-flex min-w-0 max-w-full items-center">
      <Address value={value} form="head" />
      {explorerUrl !== null && (
        <a
          href={`${explorerUrl.replace(/\/$/, '')}/tx/${value}`}
          target="_blank"
          rel="noreferrer"
          aria-label={t('common.explorer')}
          className="-my-3 inline-grid size-11 shrink-0 place-items-center rounded-12 text-muted hover:bg-sunken print:hidden"
        >
          <Icon name="external" size={16} />
        </a>
      )}
    </span>
  )
}

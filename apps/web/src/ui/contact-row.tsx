import { useAppConfig, useTranslation } from '../lib/index.ts'
import { Card, IconCircle } from './card.tsx'
import { Icon } from './icon.tsx'

/** The contact that the operator configured, an e-mail address or a page; nothing without one. */
export function ContactRow() {
  const { t } = useTranslation()
  const contact = useAppConfig()?.contact ?? null
  if (contact === null) return null
  const isPage = contact.startsWith('https://')
  return (
    <Card className="py-1">
      <a
        href={isPage ? contact : `mailto:${contact}`}
        {...(isPage && { target: '_blank', rel: 'noreferrer' })}
        className="flex min-h-14 items-center gap-3 py-2"
      >
        <IconCircle icon="help" />
        <span className="min-w-0 flex-1">
          <span className="block text-16 font-medium">{t('help.contact')}</span>
          <span className="block break-all text-13 text-muted">
            {isPage ? new URL(contact).host : contact}
          </span>
        </span>
        <Icon name="forward" size={16} className="text-muted" />
      </a>
    </Card>
  )
}

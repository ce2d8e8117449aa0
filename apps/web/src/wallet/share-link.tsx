import type { ReactNode } from 'react'
import { copyText, useTranslation } from '../lib/index.ts'
import { Button, QrCode } from '../ui/index.ts'

export interface ShareLinkProps {
  link: string
  /** The name of the QR code. */
  label: string
  /** Further buttons. */
  children?: ReactNode
}

/** A link as a QR code and as text, to copy and to share. */
export function ShareLink({ link, label, children }: ShareLinkProps) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col items-center gap-4">
      <QrCode text={link} label={label} />
      <p className="break-all text-center text-14 text-muted">{link}</p>
      <div className="flex w-full flex-wrap gap-3">
        <Button className="grow" variant="secondary" icon="copy" onClick={() => void copyText(link)}>
          {t('invite.copyLink')}
        </Button>
        <Button className="grow" icon="share" onClick={() => void share(link, t('common.appTitle'))}>
          {t('invite.share')}
        </Button>
        {children}
      </div>
    </div>
  )
}

/** Uses the device's share sheet; without one, or without permission, the link is copied. */
async function share(url: string, title: string) {
  if (!('share' in navigator)) return copyText(url)
  try {
    await navigator.share({ title, url })
  } catch (error) {
    // Closing the share sheet is no failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyText(url)
  }
}

import { useState } from 'react'
import { copyText, saveFile, showToast, useTranslation } from '../../../lib/index.ts'
import { Button, QrCode } from '../../../ui/index.ts'

/** An invitation link as a QR code and as text, to copy and to share. */
export function InviteLink({ link }: { link: string }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col items-center gap-4">
      <QrCode text={link} label={t('invite.qr')} />
      <p className="break-all text-center text-14 text-muted">{link}</p>
      <div className="flex w-full flex-wrap gap-3">
        <Button className="grow" variant="secondary" icon="copy" onClick={() => void copyText(link)}>
          {t('invite.copyLink')}
        </Button>
        <Button className="grow" icon="share" onClick={() => void share(link, t('common.appTitle'))}>
          {t('invite.share')}
        </Button>
        <PictureButton link={link} />
      </div>
    </div>
  )
}

/** Shares the invitation as a picture, or saves it where the device shares no files. */
function PictureButton({ link }: { link: string }) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      const { drawInvite } = await import('./invite-picture.ts')
      const app = t('common.appTitle')
      const texts = { app, title: t('invite.pictureTitle'), risk: t('invite.pictureRisk') }
      await shareFile(await drawInvite({ link, ...texts }), link, app)
    } catch {
      showToast(t('invite.pictureFailed'), { tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button className="grow" variant="secondary" icon="download" busy={isBusy} onClick={() => void make()}>
      {t('invite.picture')}
    </Button>
  )
}

async function shareFile(picture: Blob, url: string, title: string) {
  const file = new File([picture], 'invitation.png', { type: picture.type })
  const content = { files: [file], title, text: url }
  if (!navigator.canShare?.(content)) return saveFile(picture, file.name)
  try {
    await navigator.share(content)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) saveFile(picture, file.name)
  }
}

/** By the device's own sheet; where there is none, or it may not be used, the link is copied. */
async function share(url: string, title: string) {
  if (!('share' in navigator)) return copyText(url)
  try {
    await navigator.share({ title, url })
  } catch (error) {
    // Closing the share sheet is no failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyText(url)
  }
}

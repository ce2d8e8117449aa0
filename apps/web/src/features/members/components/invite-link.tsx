import { useState } from 'react'
import { saveFile, showToast, useTranslation } from '../../../lib/index.ts'
import { Button } from '../../../ui/index.ts'
import { ShareLink } from '../../../wallet/share-link.tsx'

/** An invitation link as a QR code and as text, with buttons to copy and share it, also as a picture. */
export function InviteLink({ link }: { link: string }) {
  const { t } = useTranslation()
  return (
    <ShareLink link={link} label={t('invite.qr')}>
      <PictureButton link={link} />
    </ShareLink>
  )
}

/** Shares the invitation as a picture, or saves it if the device cannot share files. */
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

import { useSearch } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/index.ts'
import { Page } from '../../../ui/index.ts'
import OwnTree from '../tree/own-tree.tsx'

/** Shows the binary tree of the member's team. */
export default function InviteTreePage() {
  const { t } = useTranslation()
  const { member } = useSearch({ from: '/pages/my/invite/inviteTree' })
  return (
    <Page title={t('tree.title')} wide>
      <OwnTree shownId={member} aside={<p className="px-1 text-12 text-muted">{t('tree.note')}</p>} />
    </Page>
  )
}

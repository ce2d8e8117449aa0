import { useTranslation } from '../lib/i18n.ts'
import { NoticeLink } from './notice-link.tsx'
import { Notice } from './states.tsx'

export interface RiskNoticeProps {
  title: string
  /** What can be lost here, in a sentence or two. */
  text: string
}

/** A warning of a loss that is possible, with the way to the page that explains all risks. */
export function RiskNotice({ title, text }: RiskNoticeProps) {
  const { t } = useTranslation()
  return (
    <Notice tone="warn" title={title} action={<NoticeLink to="/pages/my/risk">{t('info.more')}</NoticeLink>}>
      {text}
    </Notice>
  )
}

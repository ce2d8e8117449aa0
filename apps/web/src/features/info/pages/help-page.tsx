import { useTranslation } from '../../../lib/index.ts'
import { InfoPage, InfoSection } from '../info-page.tsx'

const PARTS = ['signIn', 'buy', 'rewards', 'locked', 'withdraw', 'security'] as const

/** How does it work: the questions that members ask, answered in plain words. */
export default function HelpPage() {
  const { t } = useTranslation()
  return (
    <InfoPage title={t('info.help.title')} lead={t('info.help.lead')}>
      {(figures) =>
        PARTS.map((part) => (
          <InfoSection key={part} title={t(`info.help.${part}.title`)}>
            {t(`info.help.${part}.text`, { ...figures })}
          </InfoSection>
        ))
      }
    </InfoPage>
  )
}

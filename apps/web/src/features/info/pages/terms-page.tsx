import { useTranslation } from '../../../lib/index.ts'
import { InfoPage, InfoSection } from '../info-page.tsx'

const PARTS = ['what', 'packages', 'payments', 'payouts', 'conduct', 'data'] as const

/** What is agreed, in words that can be understood. */
export default function TermsPage() {
  const { t } = useTranslation()
  return (
    <InfoPage title={t('info.terms.title')} lead={t('info.terms.lead')}>
      {(figures) =>
        PARTS.map((part) => (
          <InfoSection key={part} title={t(`info.terms.${part}.title`)}>
            {t(`info.terms.${part}.text`, { ...figures })}
          </InfoSection>
        ))
      }
    </InfoPage>
  )
}

import { useTranslation } from '../../../lib/index.ts'
import { InfoPage, InfoSection } from '../info-page.tsx'

const PARTS = ['loss', 'noPromise', 'pools', 'tokens', 'chain', 'scams'] as const

/** What can go wrong, without sugar. */
export default function RiskPage() {
  const { t } = useTranslation()
  return (
    <InfoPage title={t('info.risk.title')} lead={t('info.risk.lead')}>
      {(figures) =>
        PARTS.map((part) => (
          <InfoSection key={part} title={t(`info.risk.${part}.title`)}>
            {t(`info.risk.${part}.text`, { ...figures })}
          </InfoSection>
        ))
      }
    </InfoPage>
  )
}

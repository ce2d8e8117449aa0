import { formatAmount, formatTime, timeZoneName, useTranslation } from '../../../lib/index.ts'
import { CardSection, Columns, Fact, Facts, LanguageList, Notice, Page } from '../../../ui/index.ts'

const AMOUNT = '1234567.891234'

/**
 * My language: twelve options, the current one marked; a tap takes effect at once. Beside them, examples of
 * dates and figures in it.
 */
export default function LanguagePage() {
  const { t } = useTranslation()
  return (
    <Page wide title={t('language.title')}>
      <Columns
        side={
          <>
            <CardSection title={t('language.looks')}>
              <Facts>
                <Fact label={t('language.time')}>{formatTime(new Date().toJSON())}</Fact>
                <Fact label={t('language.zone')}>{timeZoneName()}</Fact>
                <Fact label={t('language.amount')}>{formatAmount(AMOUNT)} USDT</Fact>
              </Facts>
            </CardSection>
            <Notice>{t('language.files')}</Notice>
          </>
        }
      >
        <LanguageList />
      </Columns>
    </Page>
  )
}

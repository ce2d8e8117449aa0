import { useState } from 'react'
import { saveList, useTranslation } from '../../../lib/index.ts'
import { Button, Card, Columns, ContactRow, Icon, Notice, Page, Section } from '../../../ui/index.ts'
import { ErasureSection } from '../components/erasure-section.tsx'

const HELD = ['wallet', 'team', 'money', 'sessions', 'own'] as const

/** Shows the stored data about the member, and offers it as a file. */
export default function DataPage() {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    // The API client shows why a file did not arrive.
    await saveList('personData', {}, 'jsonl').catch(() => undefined)
    setBusy(false)
  }
  return (
    <Page wide title={t('personData.title')}>
      <Columns
        side={
          <>
            <Notice>{t('personData.leftOut')}</Notice>
            <ContactRow />
          </>
        }
      >
        <Section title={t('personData.held')}>
          <Card>
            <ul className="flex flex-col gap-3 text-14">
              {HELD.map((name) => (
                <li key={name} className="flex gap-2">
                  <Icon name="check" size={20} className="text-muted" />
                  {t(`personData.kind.${name}`)}
                </li>
              ))}
            </ul>
          </Card>
        </Section>
        <Button block icon="download" busy={busy} onClick={() => void save()}>
          {t('personData.save')}
        </Button>
        <p className="px-1 text-12 text-muted">{t('personData.file')}</p>
        <ErasureSection />
      </Columns>
    </Page>
  )
}

import { copyText } from '../lib/clipboard.ts'
import { useTranslation } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import { Section } from './card.tsx'

export type ReceiptLine = readonly [label: string, value: string]

/** Takes what a page tells about something that is over along: as text, or printed (and so as PDF). */
export function ReceiptButtons({ title, lines }: { title: string; lines: readonly ReceiptLine[] }) {
  const { t } = useTranslation()
  const text = [title, ...lines.map(([label, value]) => `${label}: ${value}`)].join('\n')
  return (
    <div className="print:hidden">
      <Section title={t('receipt.title')}>
        <div className="flex gap-3">
          <Button block variant="secondary" icon="copy" onClick={() => void copyText(text)}>
            {t('receipt.copy')}
          </Button>
          <Button block variant="secondary" icon="doc" onClick={() => window.print()}>
            {t('receipt.print')}
          </Button>
        </div>
      </Section>
    </div>
  )
}

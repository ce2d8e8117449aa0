import type { AnnouncementDraft, ProposalContent } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { cx, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'
import { AnnouncementPreviews } from '../announcements/announcement-preview.tsx'
import { effectText, fieldName, itemText, proposedValue } from './proposal-words.ts'

export interface ChangeRow {
  readonly key: string
  readonly label: ReactNode
  readonly before: string
  readonly after: string
}

interface DifferenceViewProps {
  content: ProposalContent
  more?: readonly ChangeRow[]
  /** True for a decided proposal, whose "now" values are those at its preparation. */
  isOver?: boolean
}

/** The changes of a proposal line by line, then `more`, and their consequences. */
export function DifferenceView({ content, more = [], isOver = false }: DifferenceViewProps) {
  const { t } = useTranslation()
  // The texts of an announcement are shown below as members read them.
  const announced = content.kind === 'announcement' ? (content.payload as AnnouncementDraft) : null
  const difference = content.difference.filter(({ field }) => announced === null || field !== 'text')
  const rows = difference.map(({ item, field, before, after }): ChangeRow => {
    // The sentence above already names the single object of a proposal.
    const isNamed = item !== null && (difference.length > 1 || !/ -> 0x/.test(item))
    return {
      key: `${item} ${field}`,
      label: (
        <>
          {fieldName(t, field)}
          {isNamed && <span className="block text-12 font-normal">{itemText(item)}</span>}
        </>
      ),
      before: proposedValue(t, field, before),
      after: proposedValue(t, field, after),
    }
  })
  return (
    <div className="flex flex-col gap-3 text-14">
      <ChangeTable rows={[...rows, ...more]} isOver={isOver} />
      {announced !== null && <AnnouncementPreviews texts={announced.texts} />}
      {content.effects.map((effect) => (
        <p key={effect.name} className="flex items-start gap-2">
          <Icon name="forward" size={16} className="mt-0.5 text-muted" />
          {effectText(t, effect)}
        </p>
      ))}
    </div>
  )
}

/** The values now, or before a decision, and afterwards. */
function ChangeTable({ rows, isOver }: { rows: readonly ChangeRow[]; isOver: boolean }) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label={t('admin.difference')} className="max-h-96 overflow-auto">
      <table className="w-full">
        <thead className="text-12 text-muted">
          <tr>
            <th scope="col" className="pb-1 text-left text-14 font-semibold text-ink">
              {t(isOver ? 'admin.brief.proposed' : 'admin.brief.change')}
            </th>
            <th scope="col" className="pb-1 pl-3 text-right font-medium">
              {t(isOver ? 'admin.brief.before' : 'admin.brief.now')}
            </th>
            <th scope="col" className="pb-1 pl-3 text-right font-medium">
              {t('admin.brief.after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, before, after }) => (
            <tr key={key} className="border-t border-line align-top">
              <th scope="row" className="wrap-anywhere py-2 text-left font-normal text-muted">
                {label}
              </th>
              <Value text={before} />
              <Value text={after} className="font-medium" />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Breaks a hash anywhere, and words never. */
function Value({ text, className }: { text: string; className?: string }) {
  const isLong = /\S{24}/.test(text)
  return (
    <td className={cx('py-2 pl-3 text-right tabular-nums', isLong && 'wrap-anywhere', className)}>{text}</td>
  )
}

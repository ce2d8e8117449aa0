import type { ProposalContent } from '@rif/api-schema'
import { cx, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'
import { effectText, fieldName, fieldValue } from './words.ts'

/** What a proposal changes, line by line, and what follows. */
export function DifferenceView({ content }: { content: ProposalContent }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-3 text-14">
      <section aria-label={t('admin.difference')} className="max-h-96 overflow-auto rounded-12 bg-sunken">
        <table className="w-full text-left">
          <thead className="text-12 text-muted">
            <tr>
              <th scope="col" className="px-3 pt-2 font-medium">
                {t('admin.what')}
              </th>
              <th scope="col" className="px-3 pt-2 font-medium">
                {t('admin.before')}
              </th>
              <th scope="col" className="px-3 pt-2 font-medium">
                {t('admin.after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {content.difference.map(({ item, field, before, after }) => (
              <tr key={`${item} ${field}`} className="align-top">
                <th scope="row" className="wrap-anywhere px-3 py-2 font-medium">
                  {fieldName(t, field)}
                  {item !== null && <span className="block text-12 font-normal text-muted">{item}</span>}
                </th>
                <Value text={fieldValue(t, field, before)} className="text-muted" />
                <Value text={fieldValue(t, field, after)} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {content.effects.map((effect) => (
        <p key={effect.name} className="flex items-start gap-2">
          <Icon name="forward" size={16} className="mt-0.5 text-muted" />
          {effectText(t, effect)}
        </p>
      ))}
    </div>
  )
}

/** Breaks a hash anywhere, and a word nowhere. */
function Value({ text, className }: { text: string; className?: string }) {
  const isLong = /\S{24}/.test(text)
  return <td className={cx('px-3 py-2', isLong && 'wrap-anywhere', className)}>{text}</td>
}

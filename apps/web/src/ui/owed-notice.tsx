import type { Me } from '@rif/api-schema'
import { useTranslation } from '../lib/index.ts'
import { Money } from './money.tsx'
import { Notice, NoticeLink } from './states.tsx'

/** Shows the debt of the member, its meaning and how it is repaid. Renders nothing for a member who owes nothing. */
export function OwedNotice({ owed }: Pick<Me, 'owed'>) {
  const { t } = useTranslation()
  if (owed.length === 0) return null
  return (
    <section aria-label={t('owed.title')}>
      <Notice
        tone="warn"
        title={t('owed.title')}
        action={<NoticeLink to="/pages/my/notifications">{t('owed.more')}</NoticeLink>}
      >
        <ul className="my-1 flex flex-col">
          {owed.map(({ asset, amount }) => (
            <li key={asset} className="text-20 font-semibold">
              <Money amount={amount} unit={asset} />
            </li>
          ))}
        </ul>
        {t('owed.text')}
      </Notice>
    </section>
  )
}

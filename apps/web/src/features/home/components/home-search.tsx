import { useState } from 'react'
import { navigateTo, plainText, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'

/** Opens the search from the top of the home page, where there is enough space. */
export function HomeSearch() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          navigateTo('/pages/search', plainText(text) === '' ? {} : { q: plainText(text) })
        }}
      >
        <div className="flex w-65 items-center gap-2 rounded-12 border border-line bg-card px-3 has-focus-visible:outline-2 has-focus-visible:outline-accent">
          <Icon name="search" size={20} className="text-muted" />
          <input
            type="search"
            aria-label={t('search.label')}
            placeholder={t('search.title')}
            maxLength={80}
            autoComplete="off"
            className="min-h-11 min-w-0 flex-1 bg-transparent text-14 outline-none placeholder:text-muted"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </form>
    </search>
  )
}

import { useEffect, useState } from 'react'
import { type PageSearch, switchTab, useSettled, useTranslation } from '../../../lib/index.ts'
import { Button, TextField } from '../../../ui/index.ts'

const PATH = '/pages/rewardList/index'

/** Search and dates of the feed. The address holds them, so that going back restores them. */
export function FeedSearch({ search }: { search: PageSearch<typeof PATH> }) {
  const { t } = useTranslation()
  const [text, setText] = useState(search.q ?? '')
  const settled = useSettled(text.trim())
  const change = (next: PageSearch<typeof PATH>) =>
    switchTab(PATH, Object.fromEntries(Object.entries({ ...search, ...next }).filter(([, value]) => value)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing leads to another address
  useEffect(() => {
    if (settled !== (search.q ?? '')) change({ q: settled })
  }, [settled])
  return (
    <search className="flex flex-col gap-3 rounded-12 bg-card p-4">
      <TextField
        label={t('feed.search')}
        hint={t('feed.searchHint')}
        type="search"
        maxLength={60}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-3">
        <TextField
          label={t('feed.from')}
          type="date"
          value={search.from ?? ''}
          {...(search.to !== undefined && { max: search.to })}
          onChange={(event) => change({ from: event.target.value })}
        />
        <TextField
          label={t('feed.to')}
          type="date"
          value={search.to ?? ''}
          {...(search.from !== undefined && { min: search.from })}
          onChange={(event) => change({ to: event.target.value })}
        />
      </div>
      {(search.q ?? search.from ?? search.to) !== undefined && (
        <Button
          variant="quiet"
          onClick={() => {
            setText('')
            switchTab(PATH, search.group === undefined ? {} : { group: search.group })
          }}
        >
          {t('feed.clear')}
        </Button>
      )}
    </search>
  )
}

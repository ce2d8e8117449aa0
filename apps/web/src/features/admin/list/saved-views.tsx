import { useState } from 'react'
import { kept, sessionStore, useTranslation } from '../../../lib/index.ts'
import { Button, Chip, IconButton, Sheet, TextField } from '../../../ui/index.ts'
import { areValues, type FilterValues, type ListFilters } from './list-filters.ts'

/** Named filters. */
interface SavedView {
  readonly name: string
  readonly filters: FilterValues
}

const MOST_VIEWS = 12
const MOST_LETTERS = 30

/** Returns the storage key of a page's views, which are separate for each operator on a device. */
const keyOf = (page: string) => `ops_views:${page}:${sessionStore.getState().tokenAddress.toLowerCase()}`

/** Reads the saved views of a list; invalid ones are dropped. */
export function readViews({ page, fields }: Pick<ListFilters, 'page' | 'fields'>): SavedView[] {
  try {
    const stored: unknown = JSON.parse(kept.get(keyOf(page)) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored
      .filter((item): item is SavedView => typeof item?.name === 'string' && areValues(fields, item.filters))
      .slice(0, MOST_VIEWS)
  } catch {
    return []
  }
}

/** The operator's own views of a list: one tap shows one, and the current filters can be saved as another. */
export function SavedViews({ filters }: { filters: ListFilters }) {
  const { t } = useTranslation()
  const { page, values, change } = filters
  const [, setChanges] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const present = JSON.stringify(values)
  // Read again each time, because the options of a field may have been loaded in between.
  const views = readViews(filters)
  const store = (next: SavedView[]) => {
    kept.set(keyOf(page), JSON.stringify(next))
    setChanges((count) => count + 1)
  }
  const save = () => {
    const trimmed = name.trim()
    if (trimmed === '') return
    const others = views.filter((view) => view.name !== trimmed)
    store([...others, { name: trimmed, filters: values }].slice(-MOST_VIEWS))
    setName('')
    setOpen(false)
  }
  return (
    <>
      {views.map((view) => (
        <Chip
          key={view.name}
          pressed={JSON.stringify(view.filters) === present}
          onClick={() => change(view.filters)}
        >
          {view.name}
        </Chip>
      ))}
      <Chip onClick={() => setOpen(true)}>{t('desk.views.save')}</Chip>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('desk.views.title')}>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <TextField
            label={t('desk.views.name')}
            hint={t('desk.views.hint')}
            value={name}
            maxLength={MOST_LETTERS}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" disabled={name.trim() === ''}>
            {t('desk.views.save')}
          </Button>
          {views.length > 0 && (
            <ul className="flex flex-col divide-y divide-line">
              {views.map((view) => (
                <li key={view.name} className="flex items-center justify-between gap-3 text-14">
                  {view.name}
                  <IconButton
                    icon="trash"
                    label={t('desk.views.remove', { name: view.name })}
                    onClick={() => store(views.filter((item) => item !== view))}
                  />
                </li>
              ))}
            </ul>
          )}
        </form>
      </Sheet>
    </>
  )
}

import { useState } from 'react'
import { kept, sessionStore, useTranslation } from '../../../lib/index.ts'
import { Button, Chip, IconButton, Sheet, TextField } from '../../../ui/index.ts'

/** Filters under a name. */
export interface SavedView<F> {
  readonly name: string
  readonly filters: F
}

const MOST_VIEWS = 12
const MOST_LETTERS = 30

/** Returns the key under which the views of a page are kept: one operator's are not those of another on the same device. */
const keyOf = (page: string) => `ops_views:${page}:${sessionStore.getState().tokenAddress.toLowerCase()}`

/** Reads the saved views of a page; what is not a list of them is dropped. */
export function readViews<F>(page: string, isFilters: (value: unknown) => value is F): SavedView<F>[] {
  try {
    const stored: unknown = JSON.parse(kept.get(keyOf(page)) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored
      .filter((one): one is SavedView<F> => typeof one?.name === 'string' && isFilters(one.filters))
      .slice(0, MOST_VIEWS)
  } catch {
    return []
  }
}

interface SavedViewsProps<F> {
  page: string
  filters: F
  isFilters: (value: unknown) => value is F
  onChoose: (filters: F) => void
}

/** The operator's own views of a queue: one tap shows one, and the present filters can be saved as another. */
export function SavedViews<F>({ page, filters, isFilters, onChoose }: SavedViewsProps<F>) {
  const { t } = useTranslation()
  const [views, setViews] = useState(() => readViews(page, isFilters))
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const present = JSON.stringify(filters)
  const store = (next: SavedView<F>[]) => {
    kept.set(keyOf(page), JSON.stringify(next))
    setViews(next)
  }
  const save = () => {
    const trimmed = name.trim()
    if (trimmed === '') return
    store([...views.filter((view) => view.name !== trimmed), { name: trimmed, filters }].slice(-MOST_VIEWS))
    setName('')
    setOpen(false)
  }
  return (
    <>
      {views.map((view) => (
        <Chip
          key={view.name}
          pressed={JSON.stringify(view.filters) === present}
          onClick={() => onChoose(view.filters)}
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
                    onClick={() => store(views.filter((one) => one !== view))}
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

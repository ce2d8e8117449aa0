import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import {
  apiQuery,
  type HelpHit,
  redirectTo,
  useOutage,
  useSettled,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  Chip,
  Chips,
  EmptyState,
  ErrorState,
  LinkRow,
  ListSkeleton,
  Notice,
  Page,
  Section,
  TextField,
} from '../../../ui/index.ts'
import { kindsNamed } from '../activity-view.ts'
import { HelpResults } from '../search/help-results.tsx'
import { OwnResults } from '../search/own-results.tsx'
import { recentSearches, rememberSearch } from '../search/recent-searches.ts'
import { useHelpHits } from '../search/use-help-hits.ts'

const PATH = '/pages/search'
/** The most frequent questions of members, shown before typing. */
const ASKED: readonly HelpHit[] = (['stuck', 'claim', 'lessPaid', 'review'] as const).map((name) => ({
  kind: 'article',
  name,
}))

/**
 * One search over the member's activity, orders and addresses and the help. The address contains it, so that
 * going back restores it.
 */
export default function SearchPage() {
  const { t } = useTranslation()
  const { q = '' } = useSearch({ from: PATH })
  const [typed, setTyped] = useState(q)
  const wanted = useSettled(typed.trim())
  useEffect(() => {
    if (wanted !== q) redirectTo(PATH, wanted === '' ? {} : { q: wanted })
  }, [wanted, q])
  return (
    <Page wide title={t('search.title')}>
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            rememberSearch(typed)
          }}
        >
          <TextField
            type="search"
            label={t('search.label')}
            hint={t('search.hint')}
            maxLength={80}
            // The page is opened for typing.
            autoFocus
            enterKeyHint="search"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </form>
      </search>
      {wanted === '' ? (
        <Suggestions onPick={setTyped} />
      ) : (
        // Successful searches are kept.
        <div
          className="flex flex-col gap-4"
          onClickCapture={(event) => {
            if ((event.target as Element).closest('a') !== null) rememberSearch(wanted)
          }}
        >
          <Results key={wanted} text={wanted} onClear={() => setTyped('')} />
        </div>
      )}
    </Page>
  )
}

function Results({ text, onClear }: { text: string; onClear: () => void }) {
  const { t } = useTranslation()
  const outage = useOutage()
  const kinds = kindsNamed(text, (kind) => t(`activity.kind.${kind}`))
  const query = { q: text, ...(kinds.length > 0 && { kinds: kinds.join(',') }) }
  const own = useQuery(apiQuery('memberSearch', { query }))
  const help = useHelpHits(text)
  const results = own.data
  const isEmpty =
    results !== undefined &&
    help?.length === 0 &&
    [results.activity, results.orders, results.addresses].every(({ items }) => items.length === 0)
  return (
    <>
      <div role="status" className="flex flex-col gap-4">
        {isEmpty && (
          <EmptyState
            icon="search"
            title={t('search.nothing', { text })}
            hint={t('search.nothingHint')}
            action={
              <Button variant="secondary" onClick={onClear}>
                {t('search.clear')}
              </Button>
            }
          />
        )}
        {results !== undefined && <OwnResults text={text} results={results} />}
      </div>
      {results === undefined &&
        (outage !== null ? (
          <Notice icon="offline">{t('search.offline')}</Notice>
        ) : own.isError ? (
          <ErrorState onRetry={() => void own.refetch()} />
        ) : (
          <ListSkeleton rows={4} joined />
        ))}
      <HelpResults hits={help ?? []} title={t('search.group.help')} />
    </>
  )
}

function Suggestions({ onPick }: { onPick: (text: string) => void }) {
  const { t } = useTranslation()
  const recent = recentSearches()
  return (
    <>
      {recent.length > 0 && (
        <Section title={t('search.recent')}>
          <Chips label={t('search.recent')}>
            {recent.map((text) => (
              <Chip key={text} onClick={() => onPick(text)}>
                {text}
              </Chip>
            ))}
          </Chips>
        </Section>
      )}
      <Section title={t('search.lists')}>
        <Card className="divide-y divide-line py-1">
          <LinkRow to="/pages/rewardList/index" icon="activity" title={t('search.group.activity')} />
          <LinkRow to="/pages/shop/orderList" icon="orders" title={t('search.group.orders')} />
          <LinkRow to="/pages/my/addresses" icon="book" title={t('addresses.title')} />
          <LinkRow to="/pages/index/team_user" icon="team" title={t('areas.team')} />
        </Card>
      </Section>
      <HelpResults hits={ASKED} title={t('search.asked')} />
    </>
  )
}

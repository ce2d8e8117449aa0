import type { Refused } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, PageLink, shortAddress, useTranslation } from '../../../lib/index.ts'
import { Button, ListSkeleton, Loaded, Notice, Pill } from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { Panel } from '../components/panel.tsx'
import { utcText } from '../components/utc-time.tsx'
import { useProposals, type Wanted } from '../proposals/use-proposals.tsx'
import { ReachSheet } from '../reach/reach-sheet.tsx'

type List = 'countries' | 'addresses'
const LISTS = ['countries', 'addresses'] as const satisfies readonly List[]

/** The countries and wallets that the operator may not serve; each change is a proposal of two persons. */
export default function ReachPage() {
  const { t } = useTranslation()
  const may = useMay()
  const [adding, setAdding] = useState<List | null>(null)
  const { want, sheets } = useProposals({ place: 'reach' })
  const query = useQuery(apiQuery('reach'))
  const submit = (wanted: Wanted, onDone?: () => void) => {
    setAdding(null)
    want(wanted, onDone)
  }
  return (
    <AdminPage title={t('admin.area.reach')} about={t('admin.about.reach')}>
      <Loaded query={query} skeleton={<ListSkeleton rows={4} />}>
        {(data) => (
          <>
            {!data.knows_country && <Notice>{t('adminReach.unknown')}</Notice>}
            {LISTS.map((list) => (
              <Panel key={list} title={t(`adminReach.${list}`)}>
                {data[list].length === 0 && <p className="text-14 text-muted">{t('adminReach.none')}</p>}
                <ul className="flex flex-col divide-y divide-line">
                  {data[list].map((entry) => (
                    <Entry
                      key={entry.value}
                      entry={entry}
                      onServe={
                        may('operator')
                          ? () => submit(wantedOf(list, 'serve', [entry.value], entry.level, entry.reason))
                          : null
                      }
                    />
                  ))}
                </ul>
                {may('operator') && (
                  <Button variant="secondary" onClick={() => setAdding(list)}>
                    {t('adminReach.add')}
                  </Button>
                )}
              </Panel>
            ))}
            <PageLink
              to="/pages/admin/log"
              className="inline-flex min-h-11 items-center self-start px-1 text-14 font-medium text-accent"
            >
              {t('adminReach.log')}
            </PageLink>
          </>
        )}
      </Loaded>
      {adding !== null && (
        <ReachSheet
          list={adding}
          onClose={() => setAdding(null)}
          onSubmit={({ values, level, reason }, onDone) =>
            submit(wantedOf(adding, 'refuse', values, level, reason), onDone)
          }
        />
      )}
      {sheets}
    </AdminPage>
  )
}

const wantedOf = (
  list: List,
  action: 'refuse' | 'serve',
  values: string[],
  level: Refused['level'],
  reason: string,
): Wanted => ({ kind: 'reach', payload: { list, action, values, level, reason } })

function Entry({ entry, onServe }: { entry: Refused; onServe: (() => void) | null }) {
  const { t } = useTranslation()
  const { value, level, reason, approved_by, changed_at } = entry
  const by = shortAddress(approved_by)
  return (
    <li className="flex flex-wrap items-start gap-3 py-3">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere text-14 font-semibold">{value}</span>
          <Pill tone={level === 'no_service' ? 'bad' : 'warn'}>{t(`adminReach.level.${level}`)}</Pill>
        </p>
        <p className="wrap-anywhere text-14">{reason}</p>
        <p className="text-12 text-muted">
          {t('adminReach.approved', { by, time: utcText(changed_at) ?? '' })}
        </p>
      </div>
      {onServe !== null && (
        <Button variant="secondary" onClick={onServe}>
          {t('adminReach.serve')}
        </Button>
      )}
    </li>
  )
}

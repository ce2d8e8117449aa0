import type { Transfer } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, PageLink, useTranslation } from '../../../lib/index.ts'
import { Recent } from '../../../ui/index.ts'
import { TransferRow } from './transfer-row.tsx'
import { TransferSheet } from './transfer-sheet.tsx'

const RECENT = 3

/** The last transfers, beside the form. */
export function RecentTransfers() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<Transfer | null>(null)
  return (
    <>
      <Recent
        title={t('transfers.list.title')}
        all={<PageLink to="/pages/transfer/list">{t('common.all')}</PageLink>}
        query={useQuery(apiQuery('transfers', { query: { limit: RECENT } }))}
        keyOf={({ transfer_id }) => transfer_id}
        render={(transfer) => <TransferRow transfer={transfer} onOpen={setOpened} />}
        none={t('transfers.list.emptyHint')}
      />
      {opened !== null && <TransferSheet transfer={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

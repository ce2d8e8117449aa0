import type { AppConfig } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useStore } from 'zustand'
import {
  formatDay,
  formatTime,
  saveFile,
  showToast,
  useAppConfig,
  useSession,
  useTranslation,
} from '../../../lib/index.ts'
import { Button, Card, HelpLink, ListSkeleton, Notice } from '../../../ui/index.ts'
import {
  disconnectWallet,
  returningStore,
  returnToChain,
  wrongChainStore,
} from '../../../wallet/connection.ts'
import { ShareButton } from '../../../wallet/shares/share-button.tsx'
import { SharedLinks } from '../../../wallet/shares/shared-links.tsx'
import { checkMine, ObstacleError, type ProofCheck, proofOf } from './check.ts'
import { CheckSteps } from './check-steps.tsx'

/**
 * The member's own proof, checked on this device as soon as it is shown. `latestDay` is the last report
 * according to the server.
 */
export default function ProofCard({ latestDay }: { latestDay: string | null }) {
  const config = useAppConfig()
  if (config === undefined) return <ListSkeleton rows={3} />
  return <OwnProof config={config} latestDay={latestDay} />
}

function OwnProof({ config, latestDay }: { config: AppConfig; latestDay: string | null }) {
  const { t } = useTranslation()
  const { tokenAddress } = useSession()
  // Runs the check again once the wallet is back on the right chain.
  const isElsewhere = useStore(wrongChainStore)
  const query = useQuery({
    queryKey: ['solvency check', tokenAddress, isElsewhere],
    queryFn: () => checkMine(config, tokenAddress),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: false,
  })
  const day = query.data?.day ?? (query.error instanceof ObstacleError ? query.error.day : null) ?? latestDay
  return (
    <>
      <Card className="flex flex-col gap-4">
        {query.isFetching && (
          <div className="flex flex-col gap-3">
            <p className="text-14 text-muted">{t('heldOwed.mine.checking')}</p>
            <ListSkeleton rows={3} />
          </div>
        )}
        {!query.isFetching && query.data !== undefined && (
          <Outcome check={query.data} at={query.dataUpdatedAt} />
        )}
        {!query.isFetching && query.error !== null && <Obstructed error={query.error} config={config} />}
        <div className="flex flex-wrap gap-3 *:flex-1">
          <Button variant="secondary" busy={query.isFetching} onClick={() => void query.refetch()}>
            {t('heldOwed.mine.again')}
          </Button>
          {day !== null && <SaveButton day={day} check={query.data} />}
        </div>
        {query.data !== undefined && (
          <ShareButton
            name={t('links.proofOf', { day: formatDay(query.data.day) })}
            subject={{ proof: query.data.file }}
          />
        )}
      </Card>
      <SharedLinks />
    </>
  )
}

/**
 * Saves the proof as a file that the verifier accepts: the checked one, otherwise the day's from the server.
 */
function SaveButton({ day, check }: { day: string; check: ProofCheck | undefined }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const file = check?.file ?? (await proofOf(day).catch(() => null))
    setBusy(false)
    if (file === null) return showToast(t('heldOwed.mine.notSaved'), { tone: 'bad' })
    const content = new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: 'application/json' })
    saveFile(content, `solvency-proof-${file.day}.json`)
  }
  return (
    <Button variant="secondary" busy={busy} onClick={() => void save()}>
      {t('heldOwed.mine.save')}
    </Button>
  )
}

function Outcome({ check, at }: { check: ProofCheck; at: number }) {
  const { t } = useTranslation()
  const time = formatTime(at) ?? ''
  return (
    <>
      <CheckSteps check={check} />
      <div role="status">
        {check.isCounted ? (
          <Notice tone="good" title={t('heldOwed.mine.counted')}>
            {t('heldOwed.mine.countedText', { time })}
          </Notice>
        ) : (
          <Notice
            tone="bad"
            title={t('heldOwed.mine.differs')}
            action={<HelpLink about="solvency.notProven" />}
          >
            {t('heldOwed.mine.differsText', { day: formatDay(check.day) })}
          </Notice>
        )}
      </div>
    </>
  )
}

/**
 * Shows why the check could not be made, and the next step. The server does not replace the wallet as a
 * source.
 */
function Obstructed({ error, config }: { error: Error; config: AppConfig }) {
  const { t } = useTranslation()
  const isReturning = useStore(returningStore)
  const obstacle = error instanceof ObstacleError ? error.obstacle : 'failed'
  const isOwn = obstacle === 'notInReport' || obstacle === 'malformed'
  const signInAgain = obstacle === 'noWallet' || obstacle === 'locked' || obstacle === 'otherAccount'
  return (
    <div role="status">
      <Notice
        tone={isOwn ? 'bad' : 'warn'}
        title={t(isOwn ? 'heldOwed.mine.differs' : 'heldOwed.mine.notChecked')}
        action={
          isOwn ? (
            <HelpLink about="solvency.notProven" />
          ) : signInAgain ? (
            <Button variant="secondary" icon="wallet" onClick={disconnectWallet}>
              {t('heldOwed.mine.signInAgain')}
            </Button>
          ) : (
            obstacle === 'wrongChain' && (
              <Button
                variant="secondary"
                busy={isReturning}
                onClick={() => void returnToChain(config).catch(() => undefined)}
              >
                {t('wallet.changeChain')}
              </Button>
            )
          )
        }
      >
        {t(`heldOwed.obstacle.${obstacle}`, { chain: config.chain.name })}
      </Notice>
    </div>
  )
}

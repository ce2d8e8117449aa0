import type { AppConfig, SolvencyProof } from '@rif/api-schema'
import { holds } from '@rif/solvency'
import { useQuery } from '@tanstack/react-query'
import { PageLink, saveFile, useAppConfig, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  Card,
  ListSkeleton,
  Loaded,
  Notice,
  Section,
  type Step,
  Stepper,
} from '../../../ui/index.ts'
import { Failure, stateOf } from '../proof/check-steps.tsx'
import { checkShared, type SharedCheck } from './check-shared.ts'

/** The proof of another member, checked on this device as soon as it is shown. */
export default function SharedProof({ proof }: { proof: SolvencyProof }) {
  const { t } = useTranslation()
  const config = useAppConfig()
  const save = () => {
    const content = new Blob([`${JSON.stringify(proof, null, 2)}\n`], { type: 'application/json' })
    saveFile(content, `solvency-proof-${proof.day}.json`)
  }
  return (
    <>
      <Section title={t('heldOwed.mine.steps')}>
        <Card className="flex flex-col gap-4">
          {config === undefined ? <ListSkeleton rows={3} /> : <Checked config={config} file={proof} />}
        </Card>
      </Section>
      <Button block variant="secondary" icon="download" onClick={save}>
        {t('heldOwed.mine.save')}
      </Button>
      <PageLink
        to="/pages/solvency"
        className="inline-flex min-h-11 items-center self-start px-1 text-14 font-medium text-accent"
      >
        {t('shared.whatItMeans')}
      </PageLink>
    </>
  )
}

function Checked({ config, file }: { config: AppConfig; file: SolvencyProof }) {
  const query = useQuery({
    queryKey: ['shared proof', file.leaf.salt],
    queryFn: () => checkShared(config, file),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: false,
  })
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={3} />}>
      {(check) => <Outcome check={check} />}
    </Loaded>
  )
}

function Outcome({ check }: { check: SharedCheck }) {
  const { t } = useTranslation()
  const isFromChain = check.readFrom === 'chain'
  return (
    <>
      <Stepper label={t('heldOwed.mine.steps')} steps={useSteps(check)} />
      <div role="status">
        {!holds(check.results) ? (
          <Notice tone="bad" title={t('heldOwed.mine.differs')}>
            {t('shared.differs')}
          </Notice>
        ) : (
          <Notice
            tone={isFromChain ? 'good' : 'info'}
            title={t(isFromChain ? 'heldOwed.mine.counted' : 'shared.fits')}
          >
            {t(isFromChain ? 'shared.fromChain' : 'shared.fromServer')}
          </Notice>
        )}
      </div>
    </>
  )
}

function useSteps(check: SharedCheck): Step[] {
  const { t } = useTranslation()
  const { proof, levels, published, readFrom } = check
  const step = (id: string, title: string, steps: Parameters<typeof stateOf>[1], value?: string): Step => ({
    id,
    title,
    state: stateOf(check, steps),
    detail: (
      <>
        <Failure check={check} steps={steps} />
        {value !== undefined && <Address value={value} form="head" />}
      </>
    ),
  })
  return [
    step('leaf', t('shared.step.leaf'), ['subject', 'leaf'], levels[0]?.hash),
    step('path', t('heldOwed.mine.step.path', { count: proof.path.length }), ['path', 'sums']),
    step(
      'root',
      t(readFrom === 'chain' ? 'heldOwed.mine.step.root' : 'shared.step.server'),
      ['root'],
      published.root,
    ),
    ...(published.totals === null ? [] : [step('totals', t('heldOwed.mine.step.totals'), ['totals'])]),
  ]
}

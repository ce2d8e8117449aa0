import type { SolvencySends } from '@rif/api-schema'
import { formatCount, formatDayShort, useTranslation } from '../../../lib/index.ts'
import { Address, Card, DataTable, Fact, Facts, Notice, Pill, type Tone } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'
import { ShortHash } from './short-hash.tsx'

type Send = SolvencySends['sends'][number]
type State = Send['status'] | 'replaced'

const TONES: Readonly<Record<State, Tone>> = {
  waiting: 'warn',
  success: 'good',
  reverted: 'bad',
  replaced: 'neutral',
}

const SHOWN = 10
const FEE_DECIMALS = 8
const GWEI_DECIMALS = 4

/** The transactions that publish reports, with their outcome and cost, and the paying wallet. */
export function Publications({ data }: { data: SolvencySends }) {
  const { t } = useTranslation()
  const { publisher, publisher_eth, sends } = data
  return (
    <Card className="flex flex-col gap-3">
      {publisher === null ? (
        <Notice tone="warn">{t('adminSolvency.noPublisher')}</Notice>
      ) : (
        <Facts>
          <Fact label={t('adminSolvency.publisher')}>
            <Address value={publisher} />
          </Fact>
          <Fact label={t('adminSolvency.publisherEth')}>
            {publisher_eth === null ? '–' : cut(publisher_eth, GWEI_DECIMALS)}
          </Fact>
        </Facts>
      )}
      {sends.length === 0 ? (
        <p className="text-14 text-muted">{t('adminSolvency.noSends')}</p>
      ) : (
        <DataTable
          stacks
          dense
          caption={t('adminSolvency.sends')}
          words={[1, 2, 6]}
          head={[
            t('adminSolvency.day'),
            t('adminSolvency.state'),
            t('adminSolvency.sentAt'),
            t('adminSolvency.gas'),
            t('adminSolvency.fee'),
            t('adminSolvency.maxFee'),
            t('adminSolvency.tx'),
          ]}
          rows={sends.slice(0, SHOWN).map((send) => {
            const state = stateOf(send, sends)
            return {
              key: send.tx_hash,
              cells: [
                formatDayShort(send.day),
                <Pill key="state" tone={TONES[state]}>
                  {t(`adminSolvency.send.${state}`)}
                </Pill>,
                utcText(send.sent_at),
                send.gas_used === null ? '–' : formatCount(Number(send.gas_used)),
                send.fee_eth === null ? '–' : cut(send.fee_eth, FEE_DECIMALS),
                cut(send.max_fee_gwei, GWEI_DECIMALS),
                <ShortHash key="tx" value={send.tx_hash} tx={send.tx_hash} />,
              ],
            }
          })}
        />
      )}
    </Card>
  )
}

/**
 * A pending transaction was replaced if a later one with its nonce was sent, or another one with it is in a
 * block.
 */
function stateOf(send: Send, sends: readonly Send[]): State {
  const isReplaced = sends.some(
    (other) =>
      other.nonce === send.nonce &&
      other.tx_hash !== send.tx_hash &&
      (other.status !== 'waiting' || other.sent_at > send.sent_at),
  )
  return send.status === 'waiting' && isReplaced ? 'replaced' : send.status
}

/** Returns a decimal text with at most this many decimals, truncated. */
function cut(text: string, decimals: number): string {
  const [whole = '0', fraction = ''] = text.split('.')
  const kept = fraction.slice(0, decimals).replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}

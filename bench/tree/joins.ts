import type { Services } from '../../apps/server/src/services.ts'
import { type Floor, markdownTable } from '../kit/report.ts'
import { inRounds, median } from '../kit/rounds.ts'
import type { TreeShape } from '../settlement/forest.ts'

const CLIENTS = 8
const AT_LEAST = 300
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

let joined = 0
const nextAddress = () => `0x${(++joined).toString(16).padStart(40, '0')}`

/** Measures how many members one client and eight sign up in a second: below random members, or each below the one before. */
export async function measureJoins(
  { db, members: service }: Services,
  { shape, members }: { shape: TreeShape; members: number },
): Promise<Floor[]> {
  joined = Math.max(joined, 2 * members)
  let last = BigInt(members)
  const signUp = async () => {
    const random = BigInt(1 + Math.floor(Math.random() * members))
    const sponsorId = shape === 'one-leg' ? last : random
    const side = shape === 'one-leg' || Math.random() < 0.5 ? 'left' : 'right'
    const member = await service.join(db, { address: nextAddress(), sponsorId, side })
    last = member.memberId
  }
  const rate = (clients: number) => async () => {
    const begun = performance.now()
    let done = 0
    const client = async () => {
      for (; performance.now() - begun < seconds * 1_000; done++) await signUp()
    }
    await Promise.all(Array.from({ length: clients }, client))
    return (1_000 * done) / (performance.now() - begun)
  }
  const figures = await inRounds(rounds, { single: rate(1), many: rate(CLIENTS) })
  const [rateOfOne, rateOfMany] = [median(figures.single), median(figures.many)]
  const rows = [
    ['1', `${Math.round(rateOfOne)}`, ''],
    [`${CLIENTS}`, `${Math.round(rateOfMany)}`, `${AT_LEAST}`],
  ]
  console.log(
    `sign-ups, tree: ${shape}\n\n${markdownTable(['clients', 'sign-ups a second', 'at least'], rows)}\n`,
  )
  return [{ name: `${shape}: sign-ups of ${CLIENTS} clients a second`, value: rateOfMany, atLeast: AT_LEAST }]
}

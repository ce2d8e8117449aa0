import { ExplorerLink } from '../../../ui/index.ts'

/** A hash in a table: its first and last characters, all of it on pointing, and the way to its transaction. */
export function ShortHash({ value, tx }: { value: string; tx: string | null }) {
  return (
    <span className="inline-flex items-center">
      <span title={value} className="font-mono">
        {value.slice(0, 6)}…{value.slice(-4)}
      </span>
      {tx !== null && <ExplorerLink kind="tx" value={tx} />}
    </span>
  )
}

import { LineArea, placed } from './line-area.tsx'

export interface SparklineProps {
  /** Only for drawing: how high each point stands beside the others. */
  values: readonly number[]
}

/** The shape of a history in the space of a word; what it says stands in words beside it. */
export function Sparkline({ values }: SparklineProps) {
  if (values.length < 2) return null
  return <LineArea places={placed(values)} className="h-12" />
}

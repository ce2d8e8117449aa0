interface Node {
  x: number
  y: number
  size: number
  way: 'checked' | 'beside' | 'far'
}

const WIDTH = 350
/** Height and size of each generation, and the member on the way that is checked. */
const ROWS = [
  { y: 16, size: 30, checked: 0 },
  { y: 50, size: 20, checked: 1 },
  { y: 84, size: 20, checked: 2 },
  { y: 118, size: 18, checked: 5 },
] as const

const TREE: readonly (readonly Node[])[] = ROWS.map(({ y, size, checked }, row) =>
  Array.from({ length: 2 ** row }, (_, place) => ({
    x: (WIDTH * (place + 0.5)) / 2 ** row,
    y,
    size,
    way: place === checked ? 'checked' : (place ^ 1) === checked ? 'beside' : 'far',
  })),
)
const FILLS = { checked: '#fff', beside: '#3d63e6', far: '#1a2f74' }

/** A tree of sums in which the way from one leaf to the root is checked: how a member checks a balance. Decorative. */
export function ProofTree() {
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} 132`} className="w-full" fill="none">
      {TREE.slice(1).flatMap((row, above) =>
        row.map((node, place) => (
          <Line key={`${node.x} ${node.y}`} to={node} from={TREE[above]![place >> 1]!} />
        )),
      )}
      {TREE.flat().map((node) => (
        <Square key={`${node.x} ${node.y}`} {...node} />
      ))}
    </svg>
  )
}

function Line({ from, to }: { from: Node; to: Node }) {
  const isChecked = to.way === 'checked'
  return (
    <path
      d={`M${to.x} ${to.y}C${to.x} ${to.y - 20} ${from.x} ${to.y - 14} ${from.x} ${from.y}`}
      stroke={isChecked ? '#fff' : '#9db4ff'}
      strokeWidth={isChecked ? 2.5 : 1.25}
      opacity={isChecked ? 1 : to.way === 'beside' ? 0.6 : 0.28}
    />
  )
}

function Square({ x, y, size, way }: Node) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 20})`}>
      <rect x="-10" y="-10" width="20" height="20" rx="4.2" fill={FILLS[way]} />
      {way === 'checked' && (
        <path
          d="m-4.2 0 3 3.6L4.2-3.2"
          stroke="#3d63e6"
          strokeWidth="2.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </g>
  )
}

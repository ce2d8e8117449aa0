/** The mark of a package: its level on the navy of the brand. */
export function LevelMark({ level }: { level: number }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-10 shrink-0 place-items-center rounded-12 bg-hero-2 text-16 font-semibold text-white"
    >
      {level}
    </span>
  )
}

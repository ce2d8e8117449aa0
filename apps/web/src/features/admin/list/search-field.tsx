import { Icon } from '../../../ui/index.ts'

interface SearchFieldProps {
  label: string
  value: string
  maxLength: number
  onChange: (value: string) => void
  onBlur?: () => void
}

/** A search in the line of the filters; its placeholder describes what it finds. */
export function SearchField({ label, value, maxLength, onChange, onBlur }: SearchFieldProps) {
  return (
    <label className="flex min-h-11 items-center gap-2 rounded-12 border border-line-strong bg-card px-3 has-focus-visible:border-accent">
      <Icon name="search" size={20} className="text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        className="min-h-11 min-w-0 flex-1 bg-transparent text-14 outline-none placeholder:text-muted max-lg:text-16"
        value={value}
        maxLength={maxLength}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
    </label>
  )
}

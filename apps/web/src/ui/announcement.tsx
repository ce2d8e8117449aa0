import type { Locale } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { Card, IconCircle } from './card.tsx'

/** An announcement in the language in which it is shown. */
export interface Announced {
  title: string
  text: string
  language: Locale
}

interface AnnouncementBannerProps {
  announced: Announced
  /** Wraps the words in a link to all announcements. */
  link: (words: ReactNode) => ReactNode
  /** The button at the end that closes it. */
  end?: ReactNode
}

/**
 * An announcement on home: its title and one line of it. Its height does not depend on the text, so nothing
 * moves when it appears.
 */
export function AnnouncementBanner({
  announced: { title, text, language },
  link,
  end,
}: AnnouncementBannerProps) {
  return (
    <Card className="flex h-19 items-center gap-3 py-2 pr-2">
      <IconCircle icon="bell" tone="info" />
      {link(
        <>
          <span lang={language} className="block truncate text-16 font-semibold">
            {title}
          </span>
          <span lang={language} className="block truncate text-14 text-muted">
            {text}
          </span>
        </>,
      )}
      {end}
    </Card>
  )
}

/** A whole announcement. Plain text: nothing in it is a link or a tag. */
export function AnnouncementEntry({
  announced: { title, text, language },
  at,
}: {
  announced: Announced
  /** When it was published. */
  at: ReactNode
}) {
  return (
    <article className="flex flex-col gap-1 rounded-16 bg-card p-4">
      <p className="text-12 text-muted">{at}</p>
      <h2 lang={language} className="wrap-anywhere text-17 font-semibold">
        {title}
      </h2>
      <p lang={language} className="wrap-anywhere max-w-prose whitespace-pre-line text-16">
        {text}
      </p>
    </article>
  )
}

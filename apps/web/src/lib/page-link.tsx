import { Link, type LinkComponent, type LinkProps } from '@tanstack/react-router'
import { isTab } from './navigation.ts'

/** A link to a page: a tab is switched, another page opened on top. */
export const PageLink: LinkComponent<'a'> = (props) => (
  <Link {...(props as LinkProps)} replace={isTab(props.to)} />
)

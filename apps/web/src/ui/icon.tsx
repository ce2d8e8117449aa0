import activity from 'lucide/dist/esm/icons/activity.mjs'
import arrowDownLeft from 'lucide/dist/esm/icons/arrow-down-left.mjs'
import arrowDownToLine from 'lucide/dist/esm/icons/arrow-down-to-line.mjs'
import arrowLeftRight from 'lucide/dist/esm/icons/arrow-left-right.mjs'
import bell from 'lucide/dist/esm/icons/bell.mjs'
import bookUser from 'lucide/dist/esm/icons/book-user.mjs'
import calendar from 'lucide/dist/esm/icons/calendar.mjs'
import checkMark from 'lucide/dist/esm/icons/check.mjs'
import chevronDown from 'lucide/dist/esm/icons/chevron-down.mjs'
import chevronLeft from 'lucide/dist/esm/icons/chevron-left.mjs'
import chevronRight from 'lucide/dist/esm/icons/chevron-right.mjs'
import chevronUp from 'lucide/dist/esm/icons/chevron-up.mjs'
import chevronsDownUp from 'lucide/dist/esm/icons/chevrons-down-up.mjs'
import chevronsUpDown from 'lucide/dist/esm/icons/chevrons-up-down.mjs'
import circlePause from 'lucide/dist/esm/icons/circle-pause.mjs'
import circleQuestionMark from 'lucide/dist/esm/icons/circle-question-mark.mjs'
import clock from 'lucide/dist/esm/icons/clock.mjs'
import coins from 'lucide/dist/esm/icons/coins.mjs'
import copy from 'lucide/dist/esm/icons/copy.mjs'
import download from 'lucide/dist/esm/icons/download.mjs'
import ellipsis from 'lucide/dist/esm/icons/ellipsis.mjs'
import externalLink from 'lucide/dist/esm/icons/external-link.mjs'
import eye from 'lucide/dist/esm/icons/eye.mjs'
import eyeOff from 'lucide/dist/esm/icons/eye-off.mjs'
import fileText from 'lucide/dist/esm/icons/file-text.mjs'
import globe from 'lucide/dist/esm/icons/globe.mjs'
import house from 'lucide/dist/esm/icons/house.mjs'
import info from 'lucide/dist/esm/icons/info.mjs'
import keyRound from 'lucide/dist/esm/icons/key-round.mjs'
import link from 'lucide/dist/esm/icons/link.mjs'
import list from 'lucide/dist/esm/icons/list.mjs'
import listFilter from 'lucide/dist/esm/icons/list-filter.mjs'
import lock from 'lucide/dist/esm/icons/lock.mjs'
import logOut from 'lucide/dist/esm/icons/log-out.mjs'
import mail from 'lucide/dist/esm/icons/mail.mjs'
import maximize from 'lucide/dist/esm/icons/maximize.mjs'
import minimize from 'lucide/dist/esm/icons/minimize.mjs'
import minus from 'lucide/dist/esm/icons/minus.mjs'
import monitor from 'lucide/dist/esm/icons/monitor.mjs'
import moon from 'lucide/dist/esm/icons/moon.mjs'
import network from 'lucide/dist/esm/icons/network.mjs'
import packageBox from 'lucide/dist/esm/icons/package.mjs'
import pencil from 'lucide/dist/esm/icons/pencil.mjs'
import piggyBank from 'lucide/dist/esm/icons/piggy-bank.mjs'
import pin from 'lucide/dist/esm/icons/pin.mjs'
import plus from 'lucide/dist/esm/icons/plus.mjs'
import qrCode from 'lucide/dist/esm/icons/qr-code.mjs'
import receiptText from 'lucide/dist/esm/icons/receipt-text.mjs'
import rotateCw from 'lucide/dist/esm/icons/rotate-cw.mjs'
import scanLine from 'lucide/dist/esm/icons/scan-line.mjs'
import search from 'lucide/dist/esm/icons/search.mjs'
import send from 'lucide/dist/esm/icons/send.mjs'
import share from 'lucide/dist/esm/icons/share.mjs'
import shieldCheck from 'lucide/dist/esm/icons/shield-check.mjs'
import shoppingBag from 'lucide/dist/esm/icons/shopping-bag.mjs'
import smartphone from 'lucide/dist/esm/icons/smartphone.mjs'
import trash from 'lucide/dist/esm/icons/trash.mjs'
import trendingUp from 'lucide/dist/esm/icons/trending-up.mjs'
import triangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs'
import user from 'lucide/dist/esm/icons/user.mjs'
import users from 'lucide/dist/esm/icons/users.mjs'
import wallet from 'lucide/dist/esm/icons/wallet.mjs'
import wifiOff from 'lucide/dist/esm/icons/wifi-off.mjs'
import x from 'lucide/dist/esm/icons/x.mjs'
import zap from 'lucide/dist/esm/icons/zap.mjs'
import { createElement } from 'react'
import { cx } from '../lib/index.ts'

/**
 * The icons of the app by their meaning; each is a drawing of Lucide on a grid of 24 px. Only these are
 * shipped.
 */
const ICONS = {
  home: house,
  activity,
  shop: shoppingBag,
  fund: trendingUp,
  my: user,
  back: chevronLeft,
  forward: chevronRight,
  up: chevronUp,
  down: chevronDown,
  close: x,
  check: checkMark,
  copy,
  share,
  qr: qrCode,
  wallet,
  globe,
  theme: moon,
  out: logOut,
  orders: receiptText,
  withdraw: arrowDownToLine,
  download,
  team: users,
  invite: link,
  info,
  warn: triangleAlert,
  clock,
  calendar,
  refresh: rotateCw,
  external: externalLink,
  filter: listFilter,
  send,
  receive: arrowDownLeft,
  book: bookUser,
  edit: pencil,
  scan: scanLine,
  bell,
  mail,
  transfer: arrowLeftRight,
  savings: piggyBank,
  rewards: coins,
  box: packageBox,
  device: monitor,
  phone: smartphone,
  help: circleQuestionMark,
  doc: fileText,
  shield: shieldCheck,
  key: keyRound,
  lock,
  eye,
  eyeOff,
  paused: circlePause,
  offline: wifiOff,
  tree: network,
  search,
  more: ellipsis,
  trash,
  plus,
  minus,
  pin,
  list,
  expandAll: chevronsUpDown,
  collapse: chevronsDownUp,
  fullscreen: maximize,
  shrink: minimize,
  bolt: zap,
} as const

export type IconName = keyof typeof ICONS

export interface IconProps {
  name: IconName
  /** Edge in pixels; 24 when not given. */
  size?: number
  className?: string
}

/** From this size on the stroke is 1.75; smaller icons have 2, so that it stays visible. */
const THIN_FROM_PX = 20

/** A decorative icon in the text's colour; the control around it carries the name. */
export function Icon({ name, size = 24, className }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size < THIN_FROM_PX ? 2 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cx('shrink-0', className)}
    >
      {ICONS[name].map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  )
}

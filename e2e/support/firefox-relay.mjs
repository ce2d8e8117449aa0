#!/usr/bin/env node
// Starts Firefox (FIREFOX) with the given arguments and relays WebDriver BiDi to it. Playwright starts this in place of Firefox:
// it sends a command with each page that Firefox ESR 153 does not know yet, which is answered here. The tests choose the theme by
// the app's own setting instead.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'

const UNKNOWN = 'emulation.setMediaFeaturesOverride'
const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/

const firefox = spawn(process.env.FIREFOX, process.argv.slice(2), { stdio: ['ignore', 'ignore', 'pipe'] })
firefox.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => firefox.kill(signal))

createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, url] = LISTENING.exec(line) ?? []
  if (url === undefined) return void process.stderr.write(`${line}\n`)
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
  )
  server.on('connection', (client, { url: path }) => relay(client, new WebSocket(url + path)))
})

/** Passes messages on in order, those that arrive before Firefox is connected too. */
function relay(client, browser) {
  const connected = new Promise((resolve) => browser.once('open', resolve))
  client.on('message', async (data) => {
    const text = data.toString()
    await connected
    const { id, method } = JSON.parse(text)
    if (method === UNKNOWN) client.send(JSON.stringify({ type: 'success', id, result: {} }))
    else browser.send(text)
  })
  browser.on('message', (data) => client.send(data.toString()))
  browser.on('close', () => client.close())
  client.on('close', () => browser.close())
}

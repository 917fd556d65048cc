// Prepares a fresh clone: installs missing packages, and builds the server and the web app when they are out of date. Plain JavaScript without
// dependencies, because it runs before they are installed, on any Node from version 20. All messages go to stderr.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.env.ENSURE_ROOT ?? join(dirname(fileURLToPath(import.meta.url)), '..');
const stamps = join(root, '.stamps');
const lock = join(stamps, 'ensure.lock');
const builds = [
  { app: 'server', name: 'the server', result: 'main.js', sources: ['apps/server', 'apps/sandbox', 'packages'] },
  { app: 'web', name: 'the web app', result: 'index.html', sources: ['apps/web', 'packages/contract', 'packages/domain'] },
];
const isBuilding = !process.argv.includes('--no-build');
const minimumNode = [24, 15];

const log = (text) => process.stderr.write(`portal: ${text}\n`);
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const readIfExists = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

class EnsureError extends Error {}

function getPackagesStamp() {
  const lockText = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lockText).update(`${process.platform} ${process.arch}`).digest('hex');
}

// The stamp is inside node_modules, so deleting the folder (as npm ci does) also deletes the stamp.
const packagesStampFile = join(root, 'node_modules', '.portal-installed');

function arePackagesInstalled() {
  const expectedStamp = getPackagesStamp();
  if (readIfExists(packagesStampFile) === expectedStamp) return true;
  if (!isInstalledByHand()) return false;
  writeFileSync(packagesStampFile, expectedStamp);
  return true;
}

/** Returns true when npm's own record in node_modules matches the lock file, which means that npm ci was run by hand. */
function isInstalledByHand() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readJson(record).packages;
  return Object.entries(readJson(join(root, 'package-lock.json')).packages).every(
    ([path, entry]) => !path.startsWith('node_modules/') || entry.optional || entry.link || installed[path]?.version === entry.version,
  );
}

function getStamp({ sources }) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((folder) => listFiles(join(root, folder))).sort((a, b) => (a < b ? -1 : 1)))
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file));
  return hash.update(getPackagesStamp()).digest('hex');
}

const getStampFile = ({ app }) => join(stamps, app);
const getBuildScript = ({ app }) => join(root, 'apps', app, 'build.ts');

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.') || entry.name.includes('.test.')) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

function isBuilt(build) {
  if (!isBuilding || !existsSync(getBuildScript(build))) return true;
  return existsSync(join(root, 'apps', build.app, 'dist', build.result)) && readIfExists(getStampFile(build)) === getStamp(build);
}

async function install() {
  const npmCli = process.env.npm_execpath;
  const arguments_ = ['ci', '--include=dev', '--ignore-scripts', '--no-progress'];
  log('installing packages (once, takes about half a minute) ...');
  // Uses the Node that runs npm, because npm ci deletes the pinned Node that may be running this script.
  const [command, args] = npmCli?.endsWith('.js')
    ? [process.env.npm_node_execpath ?? process.execPath, [npmCli, ...arguments_]]
    : ['npm', arguments_];
  await run('installing packages', command, args, {
    cwd: root,
    env: getOuterEnvironment(),
    shell: process.platform === 'win32' && command === 'npm',
  });
  removeBrokenNode();
  writeFileSync(packagesStampFile, getPackagesStamp());
}

/** Returns the environment without npm's variables for the current script, so that npm ci does not use them as its own settings. */
function getOuterEnvironment() {
  const npmScriptVariable = /^npm_(lifecycle_|package_|command$|config_(workspace|omit|production|local_prefix|only|include))/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !npmScriptVariable.test(name)));
}

/** Removes the pinned Node where it cannot run (it needs glibc, not musl), because npm's PATH would find it before the system's Node. */
function removeBrokenNode() {
  const link = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(link) && spawnSync(link, ['--version']).status !== 0) rmSync(link);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (existsSync(pinnedNode()) || major > minimumNode[0] || (major === minimumNode[0] && minor >= minimumNode[1])) return;
  throw new EnsureError(
    `there’s no pinned Node for this system. Install Node ${minimumNode.join('.')} or later (you have ${process.versions.node}).`,
  );
}

function pinnedNode() {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
}

function workingNode() {
  return process.platform !== 'win32' && existsSync(pinnedNode()) ? pinnedNode() : process.execPath;
}

/** Generates the lists of endpoints, handlers and screens from the files in their folders, so that no list is edited by hand. */
function writeRegistries() {
  const script = join(root, 'scripts', 'write-registries.ts');
  if (!existsSync(script)) return;
  const { status } = spawnSync(workingNode(), [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new EnsureError('the lists of endpoints, handlers and screens couldn’t be generated. See the error above.');
}

async function runBuild(build) {
  log(`building ${build.name} ...`);
  const expectedStamp = getStamp(build);
  await run(`building ${build.name}`, workingNode(), [getBuildScript(build)], {
    cwd: join(root, 'apps', build.app),
    env: { ...process.env, NODE_ENV: 'production' },
  });
  mkdirSync(stamps, { recursive: true });
  writeFileSync(getStampFile(build), expectedStamp);
}

/** Runs a program with its output on stderr, and prints a progress line every ten seconds. */
function run(what, command, args, options) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const progressTimer = setInterval(() => log(`still ${what} (${seconds()} s)`), 10_000);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', process.stderr, process.stderr] });
    process.once('exit', () => child.kill());
    child.once('error', (error) => reject(new EnsureError(`${what} couldn’t start: ${error.message}`)));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(log(`done: ${what} (${seconds()} s)`));
      else reject(new EnsureError(`${what} failed (${signal ?? `exit code ${code}`}). See its output above.`));
    });
  }).finally(() => clearInterval(progressTimer));
}

let holdsLock = false;

/**
 * Takes a lock by creating a folder, which succeeds for one process only. The folder names its owner, so that the lock of a dead process
 * can be removed.
 */
async function takeLock() {
  if (holdsLock) return;
  mkdirSync(stamps, { recursive: true });
  for (let hasReported = false; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), String(process.pid));
      holdsLock = true;
      process.once('exit', () => rmSync(lock, { recursive: true, force: true }));
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isLockStale()) removeStaleLock();
    else if (!hasReported) {
      log('another process is installing or building; waiting for it to finish ...');
      hasReported = true;
    }
  }
}

function isLockStale() {
  try {
    const owner = readIfExists(join(lock, 'pid'));
    // A process writes its id just after creating the folder. If the id is missing after ten seconds, the process has died.
    if (!owner) return Date.now() - statSync(lock).mtimeMs > 10_000;
    return !isAlive(Number(owner));
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A rename succeeds for one process only, so no process removes a lock that another has just taken. */
function removeStaleLock() {
  const movedLock = `${lock}.${process.pid}`;
  try {
    renameSync(lock, movedLock);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  // If another process has replaced the stale lock, this lock is not stale and is restored.
  const owner = readIfExists(join(movedLock, 'pid'));
  if (owner && isAlive(Number(owner)) && !existsSync(lock)) renameSync(movedLock, lock);
  else rmSync(movedLock, { recursive: true, force: true });
}

try {
  if (!arePackagesInstalled()) {
    await takeLock();
    if (!arePackagesInstalled()) await install();
  }
  requireNode();
  writeRegistries();
  for (const build of builds) {
    if (isBuilt(build)) continue;
    await takeLock();
    if (!isBuilt(build)) await runBuild(build);
  }
} catch (error) {
  if (!(error instanceof EnsureError)) throw error;
  log(error.message);
  process.exit(1);
}

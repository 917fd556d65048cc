// The page that was asked for, as soon as there is a network again; its address still stands in the browser.
addEventListener('online', () => location.reload());

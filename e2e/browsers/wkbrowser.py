#!/usr/bin/python3
"""The smallest WebKitGTK browser that WebKitWebDriver can drive and that keeps its storage.

The stock MiniBrowser is ephemeral under automation: it forgets everything at its end and cannot keep Blobs in
IndexedDB. HOLDFAST_PROFILE names the folder of the profile.
"""
import os

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gtk, WebKit2  # noqa: E402

# Off by default in WebKitGTK, on in Safari.
FEATURES = ('StorageAPI', 'StorageAPIEstimate', 'FileSystem', 'FileSystemWritableStream')

profile = os.environ['HOLDFAST_PROFILE']
data = WebKit2.WebsiteDataManager(base_data_directory=profile + '/data', base_cache_directory=profile + '/cache')
context = WebKit2.WebContext.new_with_website_data_manager(data)
context.set_automation_allowed(True)


def new_view(*_):
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    settings, features = view.get_settings(), WebKit2.Settings.get_all_features()
    for feature in (features.get(index) for index in range(features.get_length())):
        if feature.get_identifier() in FEATURES:
            settings.set_feature_enabled(feature, True)
    window = Gtk.Window()
    window.set_default_size(1100, 800)
    window.add(view)
    window.show_all()
    view.connect('close', lambda *_: window.destroy())
    return view


def started(_context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name('MiniBrowser')
    info.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(info)
    session.connect('create-web-view', new_view)


context.connect('automation-started', started)
Gtk.main()

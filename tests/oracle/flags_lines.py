"""Lines and rc files asked for a reason: aliases of flags, values that come again, imports that
lead back, rc files that are named several times."""

from __future__ import annotations

from tests.oracle.flags_oracle import World

NAMED = (
    World({"ws/.bazelrc": "build --flag_alias=x=//f:sf\nbuild --x=p\n"}, ("//f:t",)),
    World({"ws/.bazelrc": "build --flag_alias=x=//f:sf\n"}, ("--x=q", "//f:t")),
    World({"ws/.bazelrc": "build --flag_alias=b=//f:bf\n"}, ("--b", "//f:t")),
    World({"ws/.bazelrc": "build --flag_alias=b=//f:bf\n"}, ("--nob", "//f:t")),
    World({"ws/.bazelrc": "build --x=p\nbuild --flag_alias=x=//f:sf\n"}, ("//f:t",)),
    World(
        {"ws/.bazelrc": "build:c --flag_alias=x=//f:sf\nbuild:c --x=p\n"}, ("--config=c", "//f:t")
    ),
    World({"ws/.bazelrc": "build:c --flag_alias=x=//f:sf\n"}, ("--config=c", "--x=p", "//f:t")),
    World({"ws/.bazelrc": "build:c --flag_alias=x=//f:sf\n"}, ("--x=p", "--config=c", "//f:t")),
    World(
        {"ws/.bazelrc": "build --flag_alias=x=//f:sf --flag_alias=x=//f:bf\n"}, ("--x=1", "//f:t")
    ),
    World({"ws/.bazelrc": "build --flag_alias=copt=//f:sf\n"}, ("--copt=1", "//f:t")),
    World({"ws/.bazelrc": "build --flag_alias=x\n"}, ("//f:t",)),
    World({"ws/.bazelrc": ""}, ("--flag_alias=x=//f:sf", "--x=r", "//f:t")),
    World({"ws/.bazelrc": ""}, ("--x=r", "--flag_alias=x=//f:sf", "//f:t")),
    World({"ws/.bazelrc": "build --@//f:sf=p\n"}, ("//f:t",)),
    World(
        {"ws/.bazelrc": "build --//f:sf=p\nbuild:c --//f:sf=q\nbuild --config=c --//f:sf=r\n"},
        ("//f:t",),
    ),
    World({"ws/.bazelrc": ""}, ("--//f:bf=2", "//f:t")),
    World(
        {"ws/.bazelrc": "build:a --config=b\nbuild:b --config=c\nbuild:c --config=a\n"},
        ("--config=a", "//f:t"),
    ),
    World({"ws/.bazelrc": "build:a --config=a\n"}, ("--config=a", "//f:t")),
    World(
        {"ws/.bazelrc": "common:a --config=b\nbuild:b --copt=b\ntest:b --copt=t\n"},
        ("--config=a", "//f:t"),
        "test",
    ),
    World(
        {
            "ws/.bazelrc": "import %workspace%/x.rc\nimport %workspace%/x.rc\n",
            "ws/x.rc": "build --copt=x\n",
        },
        ("//f:t",),
    ),
    World(
        {"ws/.bazelrc": "import %workspace%/x.rc\n", "ws/x.rc": "import %workspace%/.bazelrc\n"},
        ("//f:t",),
    ),
    World(
        {"ws/.bazelrc": "import  %workspace%/x.rc   # why\n", "ws/x.rc": "build:foo --copt=x\n"},
        ("--config=foo", "//f:t"),
    ),
    World({"ws/.bazelrc": "import %workspace%/x.rc more\n", "ws/x.rc": ""}, ("//f:t",)),
    World({"ws/.bazelrc": "import\n"}, ("//f:t",)),
    World({"ws/.bazelrc": "try-import\n"}, ("//f:t",)),
    World({"ws/.bazelrc": "try-import %workspace%/sub\n", "ws/sub/x": ""}, ("//f:t",)),
    World(
        {"ws/.bazelrc": "build --define=a=1 --define=a=2 --define a=3\nbuild:c --define=a=4\n"},
        ("--config=c", "--define=a=1", "--config=c", "//f:t"),
    ),
    World(
        {
            "ws/.bazelrc": "startup --max_idle_secs=90\nstartup --nohome_rc\n",
            "home/.bazelrc": "build --copt=h\n",
        },
        ("//f:t",),
    ),
    World(
        {
            "ws/.bazelrc": "build --copt=1\n",
            "ws/x.rc": "build --copt=2\n",
            "ws/y.rc": "build --copt=3\n",
        },
        ("//f:t",),
        "build",
        (
            "--bazelrc=@ROOT@/ws/x.rc",
            "--bazelrc=@ROOT@/ws/y.rc",
            "--bazelrc=/dev/null",
            "--bazelrc=@ROOT@/ws/x.rc",
        ),
    ),
    World(
        {"ws/.bazelrc": "build --copt=1\n", "ws/x.rc": "build --copt=2\n"},
        ("//f:t",),
        "build",
        ("--bazelrc=@ROOT@/ws/x.rc", "--ignore_all_rc_files"),
    ),
    World(
        {"ws/.bazelrc": "build --copt=1\n", "ws/x.rc": "build --copt=2\n"},
        ("//f:t",),
        "build",
        ("--ignore_all_rc_files", "--noignore_all_rc_files", "--bazelrc=@ROOT@/ws/x.rc"),
    ),
    World(
        {"ws/.bazelrc": "build --copt=1\n"}, ("//f:t",), "build", ("--bazelrc=@ROOT@/ws/none.rc",)
    ),
    World(
        {"ws/.bazelrc": 'build --copt="a b" --copt=\'c "d\' --copt=e\\ f --copt=g\\\nh \\\n -k\n'},
        ("//f:t",),
    ),
    World({"ws/.bazelrc": "build --copt=a#b --copt=c #d\n#\\\nbuild --copt=e\n"}, ("//f:t",)),
    World({"ws/.bazelrc": "build -copt=1\n"}, ("//f:t",)),
    World({"ws/.bazelrc": "build --keep_going=0 -k --nokeep_going\n"}, ("-k", "//f:t")),
    World(
        {"ws/.bazelrc": "build --compilation_mode dbg -c opt\n"},
        ("-c", "fastbuild", "-copt", "//f:t"),
    ),
    World({"ws/.bazelrc": "build //f:u\nbuild -- //f:t\n"}, ("//f:t",)),
    World({"ws/.bazelrc": "build:c //f:u\n"}, ("--config=c", "//f:t")),
    World({"ws/.bazelrc": "build --config\n"}, ("//f:t",)),
    World({"ws/.bazelrc": "build --config=\n"}, ("//f:t",)),
    World(
        {"ws/.bazelrc": "build:c --announce_rc=false --enable_runfiles=auto\n"},
        ("--config", "c", "//f:t"),
    ),
    World({"ws/.bazelrc": "build --platforms=//f:t,//f:u --platforms=//f:u\n"}, ()),
    World({"ws/.bazelrc": "build --features=a,b --features=-a --features a\n"}, ("//f:t",)),
    World(
        {"ws/.bazelrc": "build --test_env=A --test_env=A=1 --test_env=A\nbuild --action_env=B=\n"},
        ("//f:t",),
    ),
    World({"ws/.bazelrc": "build --test_timeout=1,2,3\n"}, ("//f:t",)),
    World({"ws/.bazelrc": "build --ios_multi_cpus=a,b --ios_multi_cpus=c\n"}, ("//f:t",)),
    World(
        {"ws/.bazelrc": "build --stamp --nostamp\n"},
        ("--stamp=auto", "//f:t"),
    ),
)
